import { type Action, builtActions } from "./actions";

let built: Promise<Action[]> | undefined;

/** As in editAction of app/dashboard/memories/actions.ts */
export async function actionNamed(name: string): Promise<Action> {
  // The pages are there once a gateway has started.
  built ??= builtActions();
  const found = (await built).find((action) => action.name === name);
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found;
}
