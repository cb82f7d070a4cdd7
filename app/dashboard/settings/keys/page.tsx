import type { Metadata } from "next";
import { Card } from "@/app/_components/card";
import { Empty } from "@/app/_components/empty";
import { Field } from "@/app/_components/forms/field";
import { Form, SubmitButton } from "@/app/_components/forms/form";
import { LongField } from "@/app/_components/forms/long-field";
import { InertText } from "@/app/_components/shown/inert-text";
import { When } from "@/app/_components/shown/when";
import { multibaseOf } from "@/lib/auth/public-key";
import { profileContext } from "@/lib/http/session/page";
import { activeKeysMax } from "@/lib/services/agents/keys";
import { listKeys, type OwnKey } from "@/lib/services/agents/list-keys";
import { addKeyAction, revokeKeyAction } from "./actions";

export const metadata: Metadata = { title: "Keys" };

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
            Whoever has one of them reads everything and reviews proposals in your name. At most{" "}
            {activeKeysMax} at a time.
          </p>
          <Keys keys={active} now={ctx.now} />
        </Card>
      )}
      {active.length < activeKeysMax && <AddKey />}
      {revoked.length > 0 && (
        <Card title="Revoked">
          <Keys keys={revoked} now={ctx.now} />
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
        <LongField
          name="publicKey"
          label="Ed25519 public key"
          rows={4}
          spellCheck={false}
          className="font-mono"
          hint="As PEM, JWK, did:key or base64. To make a pair: openssl genpkey -algorithm ed25519 -out key.pem, then openssl pkey -in key.pem -pubout"
        />
        <SubmitButton>Add key</SubmitButton>
      </Form>
    </Card>
  );
}

function Keys({ keys, now }: { keys: OwnKey[]; now: Date }) {
  return (
    <ul className="mt-3 flex flex-col divide-y divide-line">
      {keys.map(({ id, label, publicKey, createdAt, revokedAt }) => (
        <li key={id} className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 py-3">
          <div className="min-w-0 flex-1 basis-64">
            <p className="font-medium">
              {label === null ? "A key without a name" : <InertText text={label} />}
            </p>
            <p className="font-mono text-xs break-all text-muted">{multibaseOf(publicKey)}</p>
            <p className="text-xs text-muted">
              Added <When at={createdAt} now={now} />
              {revokedAt !== null && (
                <>
                  , revoked <When at={revokedAt} now={now} />
                </>
              )}
            </p>
          </div>
          {revokedAt === null && <Revoke id={id} label={label ?? "this key"} />}
        </li>
      ))}
    </ul>
  );
}

// It cannot be undone, for a key is never registered twice: so it asks once more.
function Revoke({ id, label }: { id: string; label: string }) {
  return (
    <details className="group open:basis-full">
      <summary className="inline-flex min-h-10 list-none items-center rounded-box border border-edge px-4 font-medium hover:bg-sunken">
        Revoke<span className="sr-only"> {label}</span>
        <span className="group-open:hidden">…</span>
      </summary>
      <div className="mt-3 flex flex-col gap-3 rounded-box border border-danger/40 bg-danger-soft p-4">
        <p>
          Programs that sign with it are refused at once, and this key can never be added again. A
          new one can.
        </p>
        <Form action={revokeKeyAction} className="">
          <input type="hidden" name="keyId" value={id} />
          <SubmitButton look="danger">
            Revoke now<span className="sr-only">: {label}</span>
          </SubmitButton>
        </Form>
      </div>
    </details>
  );
}
