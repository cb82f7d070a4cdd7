import type { Metadata } from "next";
import { PageHeader } from "@/app/_components/shell/page-header";
import { engine } from "@/lib/engine/engine";
import { adminContext } from "@/lib/http/session/admin";
import { listSettings, type SettingLine } from "@/lib/services/admin/settings";
import { Card } from "../../_components/card";
import { Field } from "../../_components/forms/fields/field";
import { SelectField } from "../../_components/forms/fields/select-field";
import { When } from "../../_components/shown/when";
import { TakeBack } from "../../_components/toasts/toasts";
import { AdminAct } from "../_parts/admin-act";
import { settingGroups, settingWords, valueWords } from "../words/setting";
import { settingAction } from "./actions";

export const metadata: Metadata = { title: "Settings of the gateway" };

export default async function SettingsPage() {
  const { ctx } = await adminContext();
  const settings = await listSettings(ctx, engine().settings);
  return (
    <div className="flex flex-col gap-4">
      <PageHeader title="Settings">
        What changes here holds on every instance within a second, and can be undone.
      </PageHeader>
      {settingGroups.map(({ title, names }) => (
        <Card key={title} title={title}>
          <div className="grid gap-x-8 gap-y-6 lg:grid-cols-2">
            {settings
              .filter(({ name }) => names.includes(name))
              .map((setting) => (
                <Setting key={setting.name} setting={setting} now={ctx.now} />
              ))}
          </div>
        </Card>
      ))}
    </div>
  );
}

function Setting({ setting, now }: { setting: SettingLine; now: Date }) {
  const { name, value, changed, lastChange } = setting;
  const { title, hint, choices } = settingWords[name];
  const field = { name: "value", label: title, initial: value };
  const target = { action: settingAction, to: { name } };
  return (
    <div>
      <AdminAct
        {...target}
        intent="change"
        button="Change"
        className="flex flex-wrap gap-2 [&>button]:self-end [&>div:not([class*=col-span])]:flex-1"
      >
        {choices === undefined ? (
          <Field {...field} autoComplete="off" />
        ) : (
          <SelectField {...field} choices={choices} />
        )}
      </AdminAct>
      <p className="mt-1.5 text-small text-muted">
        {hint !== undefined && `${hint} `}
        {changed !== null && (
          <>
            Changed <When at={changed.at} now={now} />.{" "}
          </>
        )}
        {lastChange !== null && `Before the last change: ${valueWords(name, lastChange.before)}`}
      </p>
      <div className="flex flex-wrap gap-x-4">
        {lastChange !== null && (
          <TakeBack undo={{ kind: "setting", id: lastChange.id }}>
            <button type="submit" className="min-h-8 link">
              Undo<span className="sr-only"> the last change of {title}</span>
            </button>
          </TakeBack>
        )}
        {changed !== null && (
          <AdminAct
            {...target}
            intent="reset"
            button="Use what the configuration says"
            look="quiet"
            className=""
          />
        )}
      </div>
    </div>
  );
}
