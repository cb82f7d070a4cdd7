"use client";

import { BarePage } from "./_components/states/bare-page";
import { Failure, type FailureProps } from "./_components/states/failure";

export default function ErrorPage(failure: FailureProps) {
  return (
    <BarePage>
      <Failure {...failure} />
    </BarePage>
  );
}
