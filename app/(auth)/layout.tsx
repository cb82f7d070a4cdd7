import type { ReactNode } from "react";
import { Brand } from "../_components/brand";
import { readerTheme } from "../_components/shell/reader-theme";
import { ThemeSwitch } from "../_components/shell/theme-switch";
import { Identicon } from "../_components/shown/identicon";
import { chooseTheme } from "../theme-action";

/** Agents queue at the gate; the visitor is inside. */
export default async function AuthLayout({ children }: { children: ReactNode }) {
  const theme = await readerTheme();
  return (
    <div
      data-gate
      className="flex min-h-dvh flex-col rail:grid rail:grid-cols-[minmax(0,1fr)_520px]"
    >
      <header className="relative bg-theirs px-5 py-4.5 pb-6 rail:sticky rail:top-0 rail:h-dvh rail:px-12 rail:py-9">
        <Brand href="/" />
        <p className="mt-6 max-w-[18ch] text-title font-semibold tracking-tight rail:mt-24 rail:text-[46px]/[1.1]">
          You decide what agents know about you.
        </p>
        <p className="mt-3 max-w-[46ch] text-theirs-muted rail:text-lead">
          They wait at the gate. They read what your rules let through, and nothing they propose is
          remembered before you approve it.
        </p>
        <Queue />
        <Gate />
      </header>
      <div className="flex flex-1 flex-col bg-surface px-5 py-7 rail:min-h-dvh rail:px-18">
        <main className="w-full max-w-105 rail:my-auto rail:py-4 rail:[&_[type=submit]]:min-h-12 rail:[&_input]:min-h-11.5">
          {children}
        </main>
        <footer className="mt-6">
          <ThemeSwitch current={theme} choose={chooseTheme} />
        </footer>
      </div>
    </div>
  );
}

const names = ["iris", "atlas", "nova", "scout", "ledger", "quill", "harbor", "garden"];

function Queue() {
  return (
    <div
      aria-hidden="true"
      className="mt-5 flex gap-2.5 overflow-hidden rail:absolute rail:top-[60%] rail:right-10 rail:left-0 rail:mt-0 rail:-translate-y-1/2 rail:justify-end rail:gap-4"
    >
      {names.map((name) => (
        <Identicon
          key={name}
          did={`did:prof:agent:local:${name}`}
          className="size-10 rail:size-16 max-rail:nth-[n+7]:hidden"
        />
      ))}
    </div>
  );
}

// The threshold with its opening: at the foot on a phone, else at the side.
function Gate() {
  const wall = "absolute right-0 bottom-0 bg-wall forced-colors:bg-[CanvasText]";
  return (
    <div aria-hidden="true">
      <span
        className={`${wall} left-0 h-1.25 max-rail:right-30 rail:top-0 rail:bottom-[calc(40%+75px)] rail:left-auto rail:h-auto rail:w-1.5`}
      />
      <span className={`${wall} h-1.25 w-11 rail:top-[calc(60%+75px)] rail:h-auto rail:w-1.5`} />
      <span className="absolute right-17.5 -bottom-2.5 size-6 rounded-full bg-signal rail:top-[60%] rail:-right-3.5 rail:bottom-auto rail:z-10 rail:size-8.5 rail:-translate-y-1/2" />
    </div>
  );
}
