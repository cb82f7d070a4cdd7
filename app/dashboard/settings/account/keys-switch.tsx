interface KeysSwitchProps {
  isOn: boolean;
  choose: (form: FormData) => Promise<void>;
}

const choices = [
  { value: "on", text: "On" },
  { value: "off", text: "Off" },
];

/** Single keys get in the way of some ways to write and to read aloud, so they can be switched off. */
export function KeysSwitch({ isOn, choose }: KeysSwitchProps) {
  return (
    <form action={choose} className="flex flex-wrap items-center justify-between gap-3">
      <div>
        <p>Single keys in the inbox</p>
        <p className="text-xs text-muted">A approves, R rejects, J and K move.</p>
      </div>
      <fieldset className="inline-flex gap-1 rounded-box bg-sunken p-1">
        <legend className="sr-only">Single keys in the inbox</legend>
        {choices.map(({ value, text }) => (
          <button
            key={value}
            type="submit"
            name="keys"
            value={value}
            aria-pressed={isOn === (value === "on")}
            className="min-h-7 rounded-box px-3 text-xs text-muted hover:text-ink aria-pressed:bg-lifted aria-pressed:text-ink aria-pressed:shadow-raised"
          >
            {text}
          </button>
        ))}
      </fieldset>
    </form>
  );
}
