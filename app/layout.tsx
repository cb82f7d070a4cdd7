import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import { scriptNonce } from "@/lib/http/security-headers";
import { EarlySubmits } from "./_components/early-submits";
import "./globals.css";
import { readerTheme } from "./_components/shell/reader-theme";
import { readerZone } from "./_components/shell/reader-zone";
import { ZoneScope } from "./_components/shown/zone";
import { fontVariables } from "./_fonts/fonts";

export const metadata: Metadata = {
  title: { default: "Profile Access Gateway", template: "%s · Profile Access Gateway" },
  description: "Decide what agents know about you.",
  icons: { icon: "/icon.svg" },
  // Other sites are told nothing. Our own forms need an origin to be recognised before scripts run.
  referrer: "same-origin",
};

export const viewport: Viewport = {
  colorScheme: "light dark",
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#f3f3f0" },
    { media: "(prefers-color-scheme: dark)", color: "#101113" },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  const theme = await readerTheme();
  const zone = await readerZone();
  const policy = (await headers()).get("content-security-policy");
  return (
    <html lang="en" data-theme={theme} className={fontVariables}>
      <body className="min-h-dvh text-base wrap-break-word antialiased">
        <EarlySubmits nonce={scriptNonce(policy)} />
        <ZoneScope zone={zone}>{children}</ZoneScope>
      </body>
    </html>
  );
}
