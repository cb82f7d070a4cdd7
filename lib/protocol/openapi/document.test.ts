import { expect, it } from "vitest";
import { type Endpoint, endpoints, errorsOfAll } from "../endpoints";
import { errorTable } from "../errors";
import { ErrorBody } from "../resources";
import { openApiDocument } from "./document";

const document = JSON.parse(JSON.stringify(openApiDocument("https://gateway.example")));
const operations = Object.values<Endpoint>(endpoints).map((endpoint) => ({
  endpoint,
  operation: document.paths[endpoint.path]?.[endpoint.method.toLowerCase()],
}));

it.each(operations)(
  "$endpoint.name is described: parameters, body, answers",
  ({ endpoint, operation }) => {
    const places = operation.parameters.map(({ in: place, name }: Record<string, string>) => [
      place,
      name,
    ]);
    expect(operation.operationId).toBe(endpoint.name);
    expect(places).toEqual([
      ...Object.keys(endpoint.params.shape).map((name) => ["path", name]),
      ...Object.keys(endpoint.query.shape).map((name) => ["query", name]),
      [undefined, undefined],
      ...(endpoint.waits ? [[undefined, undefined]] : []),
    ]);
    expect(operation.requestBody !== undefined).toBe(endpoint.body !== null);
    const codes = [...errorsOfAll, ...endpoint.errors];
    const statuses = [
      ...Object.keys(endpoint.statuses),
      ...codes.map((code) => String(errorTable[code].http)),
    ];
    expect(Object.keys(operation.responses).sort()).toEqual([...new Set(statuses)].sort());
  },
);

it("every reference leads somewhere", () => {
  const references = JSON.stringify(document).match(/"#\/[^"]+"/g) ?? [];
  expect(references.length).toBeGreaterThan(50);
  for (const reference of new Set(references)) {
    const [, ...path] = JSON.parse(reference).split("/");
    expect(
      path.reduce((node: Record<string, unknown>, key: string) => node?.[key], document),
      reference,
    ).toBeDefined();
  }
});

it("a list in a query is written with commas", () => {
  const [, scopes] = document.paths["/prof/v1/profile/{did}"].get.parameters;
  expect(scopes).toMatchObject({
    name: "scopes",
    style: "form",
    explode: false,
    schema: { type: "array" },
  });
});

it("what a body may leave out is not required", () => {
  expect(document.components.schemas.ProposalRequest).toMatchObject({
    required: ["content", "category"],
    properties: { content: { minLength: 1, maxLength: 10_000 }, confidence: { default: 0.7 } },
  });
});

it.each(operations)(
  "$endpoint.name shows each of its errors by example",
  ({ endpoint, operation }) => {
    const shown = Object.values<{ content: { "application/json": { examples?: object } } }>(
      operation.responses,
    ).flatMap(({ content }) => Object.values(content["application/json"].examples ?? {}));
    const codes = shown.map(({ value }) => ErrorBody.parse(value).error.code);
    expect(codes.sort()).toEqual([...errorsOfAll, ...endpoint.errors].sort());
  },
);
