import type { Metadata, Viewport } from "next";
import { cookies, headers } from "next/headers";
import type { ReactNode } from "react";
import { scriptNonce } from "@/lib/http/security-headers";
import { EarlySubmits } from "./_components/forms/early-submits";
import "./globals.css";
import { readTheme, themeCookie } from "./_components/theme";

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
    { media: "(prefers-color-scheme: light)", color: "#f7f7f8" },
    { media: "(prefers-color-scheme: dark)", color: "#0f1012" },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  const theme = readTheme((await cookies()).get(themeCookie)?.value);
  const policy = (await headers()).get("content-security-policy");
  return (
    <html lang="en" data-theme={theme}>
      <body className="min-h-dvh text-sm antialiased">
        <EarlySubmits nonce={scriptNonce(policy)} />
        {children}
      </body>
    </html>
  );
}
