import type { Metadata } from "next";
import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import { ButtonLink } from "@/app/_components/button";
import { Heading } from "../heading";
import { goodbyeCookie } from "./cookie";

export const metadata: Metadata = { title: "Goodbye" };

/** Where deleting an account ends. Other visitors are sent to the start. */
export default async function GoodbyePage() {
  if (!(await cookies()).has(goodbyeCookie)) redirect("/");
  return (
    <>
      <Heading title="Your account is gone">
        Everything you kept here was erased before this page was shown. Of your activity log only
        its last hash is left, which says nothing of you. Other people's logs keep your identifier
        where your keys were used on their profiles. Thank you for having been here.
      </Heading>
      <ButtonLink href="/" look="secondary">
        To the start page
      </ButtonLink>
    </>
  );
}
