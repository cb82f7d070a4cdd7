import type { Metadata } from "next";
import { Field } from "@/app/_components/forms/fields/field";
import { PasswordField } from "@/app/_components/forms/fields/password-field";
import { SelectField } from "@/app/_components/forms/fields/select-field";
import { Form, SubmitButton } from "@/app/_components/forms/form";
import { TextLink } from "@/app/_components/text-link";
import { counted } from "@/app/_components/words/list";
import { sizeWords } from "@/app/_components/words/size";
import { requestCtx } from "@/lib/auth/session";
import type { KnownBackup } from "@/lib/engine/backup/target/retention";
import { engine } from "@/lib/engine/engine";
import { findRestorable } from "@/lib/services/backup/first-restore";
import { restoreAction } from "../../../actions";
import { Heading } from "../../../heading";
import { SpentLink } from "../spent-link";

export const metadata: Metadata = { title: "Restore a backup", robots: { index: false } };

interface RestorePageProps {
  params: Promise<{ token: string }>;
}

export default async function RestorePage({ params }: RestorePageProps) {
  const { token } = await params;
  const kept = await findRestorable(requestCtx(), engine(), token);
  if (kept === null) return <SpentLink />;
  return (
    <>
      <Heading title="Restore a backup">
        This gateway then has the accounts, profiles and agents of the backup. It takes some
        minutes: leave this page open until it says how it ended.
      </Heading>
      <Form action={restoreAction}>
        <input type="hidden" name="token" value={token} />
        {kept.length > 0 && (
          <SelectField name="kept" label="Backup" choices={kept.map(choiceOf)}>
            <option value="">Another file</option>
          </SelectField>
        )}
        <Field
          name="path"
          label={
            kept.length > 0
              ? "Or a file on the gateway's machine"
              : "Its file on the gateway's machine"
          }
          hint="Its whole path, as /mnt/backups/gateway.tar.gz"
          exact
        />
        <PasswordField
          name="passphrase"
          label="Passphrase"
          autoComplete="off"
          hint="Needed only where BACKUP_PASSPHRASE of this gateway is not the backup's."
        />
        <SubmitButton className="w-full">Restore</SubmitButton>
      </Form>
      <p className="mt-6 text-small text-muted">
        <TextLink href={`/link/${token}`}>Become the first admin instead</TextLink>
      </p>
    </>
  );
}

function choiceOf({ name, bytes, summary }: KnownBackup): [value: string, text: string] {
  const text =
    summary === null
      ? `${name}, may be incomplete`
      : `${name}, ${counted(summary.rows, "row")}, ${sizeWords(bytes)}`;
  return [name, text];
}
