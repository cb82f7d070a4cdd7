import type { Metadata } from "next";
import { Card } from "@/app/_components/card";
import { Field } from "@/app/_components/forms/fields/field";
import { Form, SubmitButton } from "@/app/_components/forms/form";
import { PublicKeyField } from "@/app/_components/forms/new-key";
import { Empty } from "@/app/_components/states/empty";
import { profileContext } from "@/lib/http/session/page";
import { activeKeysMax } from "@/lib/services/agents/keys";
import { listKeys } from "@/lib/services/agents/list-keys";
import { addKeyAction, revokeKeyAction } from "./actions";
import { KeyList } from "./key-list";

export const metadata: Metadata = { title: "Keys" };

const revoking = {
  action: revokeKeyAction,
  warning:
    "Programs that sign with it are refused at once, and this key can never be added again. A new one can.",
};

export default async function KeysPage() {
  const { ctx, profile } = await profileContext();
  const keys = await listKeys(ctx, profile);
  const active = keys.filter(({ revokedAt }) => revokedAt === null);
  const revoked = keys.filter(({ revokedAt }) => revokedAt !== null);
  return (
    <>
      {active.length === 0 ? (
        <Empty title="No key signs as you">
          You need none for this dashboard. With a key, a program of yours can read your profile and
          review proposals in your name.
        </Empty>
      ) : (
        <Card title="Keys that sign as you">
          <p className="text-muted">
            A program that has one of them reads everything and reviews proposals in your name. At
            most {activeKeysMax} at a time.
          </p>
          <KeyList keys={active} now={ctx.now} revoking={revoking} />
        </Card>
      )}
      {active.length < activeKeysMax && <AddKey />}
      {revoked.length > 0 && (
        <Card title="Revoked">
          <KeyList keys={revoked} now={ctx.now} revoking={revoking} />
        </Card>
      )}
    </>
  );
}

function AddKey() {
  return (
    <Card title="Add a key">
      <Form action={addKeyAction} className="flex flex-col gap-4">
        <Field
          name="label"
          label="What it is for"
          maxLength={100}
          required
          hint="Such as “laptop” or “review script”."
        />
        <PublicKeyField
          label="Ed25519 public key"
          hint="As SPKI PEM, JWK, did:key, multibase or base64."
          file="prof-key.pem"
        />
        <SubmitButton>Add key</SubmitButton>
      </Form>
    </Card>
  );
}
