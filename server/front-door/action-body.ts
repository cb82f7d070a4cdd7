import type { IncomingHttpHeaders } from "node:http";
import { type GatewayError, malformedRequest } from "@/lib/protocol/errors";

// Our forms need a few. Each can be a stream that never arrives: thousands of them would hold the thread for
// seconds.
const referencesMax = 100;

/** Finds bodies that are not passed to server actions: forms that no browser writes, and many references. */
export function actionFault(headers: IncomingHttpHeaders, body: Buffer): GatewayError | null {
  const { "content-type": type = "", "next-action": action } = headers;
  const isMultipart = /^\s*multipart\//i.test(type);
  if (action === undefined && !isMultipart) return null;
  const models = isMultipart ? modelsIn(type, body.toString("latin1")) : [body.toString("latin1")];
  if (models === null) return malformedRequest("The form must be written as browsers write one.");
  const count = models.reduce((sum, model) => sum + referencesIn(model), 0);
  return count > referencesMax
    ? malformedRequest(`The form has more than ${referencesMax} references.`)
    : null;
}

const formType = /^multipart\/form-data; ?boundary=([-\w]{1,70})$/i;
// Nothing that says in which letters it is written, and nothing that two parsers read in two ways.
const partHead =
  /^Content-Disposition: form-data; name="([^"\r\n]*)"(?:; filename="[^"\r\n]*"\r\nContent-Type: [^\r\n]*)?$/i;
// The others are numbered, and are used to build fields.
const isField = /^(_\d+_)?[a-z]/;

function modelsIn(type: string, text: string): string[] | null {
  const [, boundary] = formType.exec(type) ?? [];
  if (boundary === undefined) return null;
  const [before, ...parts] = `\r\n${text}`.split(`\r\n--${boundary}`);
  const end = parts.pop();
  if (before !== "" || end === undefined || !/^--(\r\n)?$/.test(end)) return null;
  const models: string[] = [];
  for (const part of parts) {
    const at = part.indexOf("\r\n\r\n");
    const name = part.startsWith("\r\n") ? partHead.exec(part.slice(2, at))?.[1] : undefined;
    if (at === -1 || name === undefined) return null;
    if (!isField.test(name)) models.push(part.slice(at));
  }
  return models;
}

function referencesIn(model: string): number {
  const plain = model.replace(/\\["\\]/g, "");
  return plain.match(/"(\$(?!\$)|\\u0024)/g)?.length ?? 0;
}
