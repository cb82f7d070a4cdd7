import { describe, expect, test } from "vitest";
import { confirmFirst, forbidden } from "@/lib/protocol/errors";
import { backPath, orConfirmPage } from "./confirm";

describe("a file that the person must confirm for", () => {
  const back = "/dashboard/settings/export";
  const input = (accept: string) => ({
    request: new Request("http://gateway.test/api/profile/export", { headers: { accept } }),
    back,
  });
  const unconfirmed = () => Promise.reject(confirmFirst());

  test("a browser is led to the page that confirms, and from there back", async () => {
    const response = await orConfirmPage(input("text/html,*/*;q=0.8"), unconfirmed);
    expect(response.status).toBe(303);
    expect(response.headers.get("Location")).toBe(`/confirm?${new URLSearchParams({ back })}`);
  });

  test("a script is refused with 403", async () => {
    const refused = orConfirmPage(input("*/*"), unconfirmed);
    await expect(refused).rejects.toMatchObject({ code: "PROF002", details: { confirm: true } });
  });

  test("every other refusal, and the file, pass", async () => {
    const refused = orConfirmPage(input("text/html"), () => Promise.reject(forbidden()));
    await expect(refused).rejects.toMatchObject({ code: "PROF002", details: undefined });
    const file = new Response("{}");
    expect(await orConfirmPage(input("text/html"), async () => file)).toBe(file);
  });
});

test.each([
  ["/dashboard", "/dashboard"],
  ["/admin/users?role=admin", "/admin/users?role=admin"],
  ["/dashboard/../api/auth/signout", "/dashboard"],
  ["/dashboard/a b\r\nSet-Cookie: x", "/dashboard/a%20bSet-Cookie:%20x"],
  ["/dashboard//evil.example", "/dashboard//evil.example"],
  ["https://evil.example/dashboard", "/dashboard"],
  ["//evil.example/dashboard", "/dashboard"],
  ["/\\evil.example/dashboard", "/dashboard"],
  ["/", "/dashboard"],
  [["/admin"], "/dashboard"],
  [undefined, "/dashboard"],
])("%j leads back to %s", (named, path) => {
  expect(backPath(named)).toBe(path);
});
