import type { Metadata } from "next";
import { BarePage } from "./_components/states/bare-page";
import { Missing } from "./_components/states/missing";

export const metadata: Metadata = { title: "Not found" };

export default function NotFound() {
  return (
    <BarePage>
      <Missing home="/" homeName="Go to the start" />
    </BarePage>
  );
}
