import type { Metadata } from "next";
import { PageHeader } from "@/app/_components/shell/page-header";
import { engine } from "@/lib/engine/engine";
import { adminContext } from "@/lib/http/session/admin";
import { listSettings, type SettingLine } from "@/lib/services/admin/settings";
import { Card } from "../../_components/card";
import { When } from "../../_components/shown/when";
import { TakeBack } from "../../_components/toasts/toasts";
import { ResetSetting, SettingEditor, TakeBackButton } from "./setting-editor";
import { settingWords, valueWords } from "./words";

export const metadata: Metadata = { title: "Settings of the gateway" };

export default async function SettingsPage() {
  const { ctx } = await adminContext();
  const settings = await listSettings(ctx, engine().settings);
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title="Settings">
        What changes here holds on every instance within a second, and can be taken back.
      </PageHeader>
      <div className="grid gap-4 lg:grid-cols-2">
        {settings.map((setting) => (
          <Setting key={setting.name} setting={setting} now={ctx.now} />
        ))}
      </div>
    </div>
  );
}

function Setting({ setting, now }: { setting: SettingLine; now: Date }) {
  const { name, value, changed, lastChange } = setting;
  const { title, hint, choices } = settingWords[name];
  return (
    <Card>
      <SettingEditor name={name} value={value} title={title} hint={hint} choices={choices} />
      <p className="mt-3 text-xs text-muted">
        <code className="font-mono">{name}</code>
        {changed === null ? (
          ", as the configuration says"
        ) : (
          <>
            , changed <When at={changed.at} now={now} />
          </>
        )}
      </p>
      {lastChange !== null && (
        <div className="mt-3 flex flex-wrap items-center justify-between gap-3">
          <p className="text-muted">
            Before the last change: {valueWords(name, lastChange.before)}
          </p>
          <TakeBack undo={{ kind: "setting", id: lastChange.id }}>
            <TakeBackButton title={title} />
          </TakeBack>
        </div>
      )}
      {changed !== null && <ResetSetting name={name} />}
    </Card>
  );
}
