import type { ReactNode } from "react";

interface NoticeProps {
  tone: "info" | "danger";
  children: ReactNode;
}

const tones = {
  info: "border-line bg-sunken text-ink",
  danger: "border-danger/40 bg-danger-soft text-danger",
};

export function Notice({ tone, children }: NoticeProps) {
  return (
    <div
      role={tone === "danger" ? "alert" : "status"}
      className={`rounded-box border px-4 py-3 ${tones[tone]}`}
    >
      {children}
    </div>
  );
}
