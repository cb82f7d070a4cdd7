export function Sensitive() {
  return (
    <span title="No template opens it: you decide each time" className="text-xs text-danger">
      Sensitive
    </span>
  );
}
