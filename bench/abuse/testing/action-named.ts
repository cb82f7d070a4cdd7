import { type Action, builtActions } from "./actions";

const built = builtActions();

/** As in editAction of app/dashboard/memories/actions.ts */
export async function actionNamed(name: string): Promise<Action> {
  const found = (await built).find((action) => action.name === name);
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found;
}
