"use client";

/** The first button of a form, which Enter in a field or box presses: this one does nothing. */
export function EnterGuard() {
  return <button type="submit" hidden onClick={(event) => event.preventDefault()} />;
}
