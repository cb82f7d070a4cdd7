import { z } from "zod";
import { demoWho } from "../_examples/who";

// A zod schema as rows to read and as an example to look at, both by way of its JSON Schema.

type Schema = z.core.JSONSchema.BaseSchema;

export interface FieldRow {
  /** With a dot for a member of a member. */
  name: string;
  type: string;
  required: boolean;
  /** Bounds, words and defaults, in words. */
  rules: string[];
  description: string;
}

export function fieldRows(schema: z.ZodType, io: "input" | "output"): FieldRow[] {
  return rowsOf(jsonSchemaOf(schema, io), "");
}

export function exampleOf(schema: z.ZodType, io: "input" | "output"): unknown {
  return sample(jsonSchemaOf(schema, io));
}

function jsonSchemaOf(schema: z.ZodType, io: "input" | "output"): Schema {
  return z.toJSONSchema(schema, { io });
}

function rowsOf(schema: Schema, prefix: string): FieldRow[] {
  if (schema.type === "array") return itemsOf(schema).flatMap((items) => rowsOf(items, prefix));
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined) return mergedRows(alternatives.flatMap(asSchema), prefix);
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    asSchema(property).flatMap((member) => [
      rowOf(member, { name: prefix + name, required: schema.required?.includes(name) ?? false }),
      ...(present(member).type === "object" ? rowsOf(present(member), `${prefix}${name}.`) : []),
    ]),
  );
}

// A member that only some alternatives have is optional.
function mergedRows(alternatives: readonly Schema[], prefix: string): FieldRow[] {
  const all = alternatives.map((alternative) => rowsOf(alternative, prefix));
  const names = new Set(all.flat().map(({ name }) => name));
  return [...names].flatMap((name) => {
    const found = all.flat().filter((row) => row.name === name);
    const [first] = found;
    if (first === undefined) return [];
    const rules = [...new Set(found.flatMap((row) => row.rules))];
    return [{ ...first, rules, required: found.length === all.length && first.required }];
  });
}

function rowOf(schema: Schema, { name, required }: Pick<FieldRow, "name" | "required">): FieldRow {
  const { description = "" } = { ...present(schema), ...schema };
  return { name, type: typeOf(schema), required, rules: rulesOf(present(schema)), description };
}

/** Returns what a member that may be null is when it is not, with the default of both. */
function present(schema: Schema): Schema {
  const [first, ...others] = (schema.anyOf ?? [])
    .flatMap(asSchema)
    .filter(({ type }) => type !== "null");
  if (first === undefined || others.length > 0) return schema;
  return schema.default === undefined ? first : { ...first, default: schema.default };
}

function typeOf(schema: Schema): string {
  const alternatives = (schema.anyOf ?? schema.oneOf ?? []).flatMap(asSchema);
  if (alternatives.length > 0) return [...new Set(alternatives.map(typeOf))].join(" or ");
  if (schema.type === "array") {
    const [items] = itemsOf(schema);
    return items === undefined ? "list" : `list of ${typeOf(items)}`;
  }
  if (schema.format === "date-time") return "timestamp";
  return [schema.type ?? "any"].flat().join(" or ");
}

function rulesOf(schema: Schema): string[] {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems } = schema;
  const rules: string[] = [];
  if (schema.enum) rules.push(`one of ${schema.enum.join(", ")}`);
  const [items] = schema.type === "array" ? itemsOf(schema) : [];
  if (items?.enum) rules.push(`each one of ${items.enum.join(", ")}`);
  if (schema.const !== undefined) rules.push(`always ${schema.const}`);
  if (maxLength !== undefined) rules.push(range(minLength, maxLength, "characters"));
  if (maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER && maximum !== 2 ** 31 - 1) {
    rules.push(range(minimum, maximum, ""));
  }
  if (maxItems !== undefined) rules.push(range(minItems, maxItems, "items"));
  const words = examplesIn(schema);
  if (words.length > 0) rules.push(`for example ${words.join(", ")}`);
  if (schema.default !== undefined) rules.push(`default ${JSON.stringify(schema.default)}`);
  return rules;
}

function examplesIn(schema: Schema): string[] {
  const own = Array.isArray(schema.examples) ? schema.examples : [];
  const all = schema.type === "array" ? itemsOf(schema).flatMap(examplesIn) : own;
  return all.filter((example): example is string => typeof example === "string");
}

function range(least: number | undefined, most: number, unit: string): string {
  const isOpen = least === undefined || (least === 0 && unit !== "");
  const bounds = isOpen ? `up to ${most}` : `${least} to ${most}`;
  return `${bounds} ${unit}`.trim();
}

// Members whose schema alone gives an example that contradicts the ones beside it.
const samples: Readonly<Record<string, unknown>> = {
  agentDid: demoWho.agent,
  deniedScopes: ["prof:health"],
  limit: 50,
  offset: 0,
};

function sample(schema: Schema): unknown {
  const [given] = Array.isArray(schema.examples) ? schema.examples : [];
  if (given !== undefined) return given;
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  const [alternative] = (schema.anyOf ?? schema.oneOf ?? []).flatMap(asSchema);
  if (alternative !== undefined) return sample(alternative);
  switch (schema.type) {
    case "object":
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
          asSchema(property).map((member) => [name, samples[name] ?? sample(member)]),
        ),
      );
    case "array":
      return itemsOf(schema).map(sample);
    case "integer":
    case "number":
      return 1;
    case "boolean":
      return true;
    default:
      return "…";
  }
}

function itemsOf({ items }: Schema): Schema[] {
  return items === undefined || Array.isArray(items) ? [] : asSchema(items);
}

// JSON Schema also knows `true` and `false`, which say nothing to a reader.
function asSchema(schema: Schema | boolean): Schema[] {
  return typeof schema === "boolean" ? [] : [schema];
}
