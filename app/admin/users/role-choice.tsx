const roles = [
  { value: "user", title: "User", note: "Has profiles, and decides about them" },
  { value: "admin", title: "Admin", note: "Runs this gateway; sees no contents of profiles" },
] as const;

export function RoleChoice({ current }: { current: "user" | "admin" }) {
  return (
    <fieldset>
      <legend className="mb-2 font-medium">Role</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {roles.map(({ value, title, note }) => (
          <label
            key={value}
            className="flex cursor-pointer items-start gap-3 rounded-box border border-line px-3 py-2 has-checked:border-accent has-checked:bg-accent-soft"
          >
            <input
              type="radio"
              name="role"
              value={value}
              defaultChecked={value === current}
              className="mt-1 size-3.5 shrink-0 accent-accent"
            />
            <span>
              <span className="block font-medium">{title}</span>
              <span className="block text-xs text-muted">{note}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
