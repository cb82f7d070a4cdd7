import { ButtonLink } from "@/app/_components/button";
import { TextLink } from "@/app/_components/text-link";
import { Heading } from "../../heading";

export function SpentLink() {
  return (
    <>
      <Heading title="This link no longer works">
        It was used already, or its time is over. For a new password,{" "}
        <TextLink href="/forgot">ask for another</TextLink>; else an admin of this gateway can make
        you one. A gateway without an admin prints a new link each time it starts.
      </Heading>
      <ButtonLink href="/sign-in" look="secondary">
        Sign in
      </ButtonLink>
    </>
  );
}
