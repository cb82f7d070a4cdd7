import { ButtonLink } from "@/app/_components/button";
import { Heading } from "../../heading";

export function SpentLink() {
  return (
    <>
      <Heading title="This link no longer works">
        It was used already, or its time is over. An admin of this gateway can make you another. If
        there is no admin yet, restart the gateway: it prints a new link each time it starts without
        one.
      </Heading>
      <ButtonLink href="/sign-in" look="secondary">
        Sign in
      </ButtonLink>
    </>
  );
}
