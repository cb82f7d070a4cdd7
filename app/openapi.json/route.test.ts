import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, test } from "vitest";
import { type Endpoint, endpoints } from "@/lib/protocol/endpoints";
import { openApiDocument } from "@/lib/protocol/openapi/document";

const document = () => JSON.parse(JSON.stringify(openApiDocument("https://gateway.example")));

test("the document is valid OpenAPI 3.1, by the schema of the specification", async () => {
  const validator = new Validator();
  expect(await validator.validate(document())).toEqual({ valid: true });
  expect(validator.version).toBe("3.1");
});

test("the validator would find a fault", async () => {
  const broken = document();
  broken.paths["/prof/v1/profile/{did}"].get.parameters[0].in = "nowhere";
  expect((await new Validator().validate(broken)).valid).toBe(false);
});

test("every endpoint of the table is in it", () => {
  const { paths } = document();
  for (const { path, method, name } of Object.values<Endpoint>(endpoints)) {
    expect(paths[path][method.toLowerCase()].operationId).toBe(name);
  }
});
