import { segment, segmentsBox } from "@/app/_components/lists/segments";

interface KeysSwitchProps {
  isOn: boolean;
  choose: (form: FormData) => Promise<void>;
}

/** Single keys get in the way of some ways to write and to read aloud, so they can be switched off. */
export function KeysSwitch({ isOn, choose }: KeysSwitchProps) {
  return (
    <form action={choose} className="flex flex-wrap items-center justify-between gap-3">
      <div>
        <p>Single keys in the inbox</p>
        <p className="text-small text-muted">A approves, R rejects, J and K move.</p>
      </div>
      <fieldset className={segmentsBox}>
        <legend className="sr-only">Single keys in the inbox</legend>
        {["on", "off"].map((value) => (
          <button
            key={value}
            type="submit"
            name="keys"
            value={value}
            aria-pressed={isOn === (value === "on")}
            className={segment}
          >
            {value === "on" ? "On" : "Off"}
          </button>
        ))}
      </fieldset>
    </form>
  );
}
