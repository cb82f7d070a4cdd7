import { hash } from "@node-rs/argon2";
import { describe, expect, test, vi } from "vitest";
import { hashingMax, hashPassword, isPassword, needsRehash } from "./password";

const password = "a quiet lamp over the harbour";

describe("a password", () => {
  test("is known by its own hash, at the cost we chose", async () => {
    const hashed = await hashPassword(password);
    expect(hashed).toMatch(/^\$argon2id\$v=19\$m=65536,t=3,p=1\$/);
    expect(await isPassword(password, hashed)).toBe(true);
    expect(await isPassword(`${password} `, hashed)).toBe(false);
    expect(needsRehash(hashed)).toBe(false);
    expect(needsRehash(hashed.replace("t=3", "t=2"))).toBe(true);
  });

  test("may be typed on another keyboard", async () => {
    const hashed = await hashPassword("caf\u00e9 au lait, toujours");
    expect(await isPassword("cafe\u0301 au lait, toujours", hashed)).toBe(true);
  });

  test("is wrong for an account without one", async () => {
    expect(await isPassword(password, null)).toBe(false);
  });

  test("waits its turn, and is turned away when the queue is full, which forms and routes share", async () => {
    const hashed = await hash(password, { memoryCost: 1_024, timeCost: 1, parallelism: 1 });
    // As Next.js does for each of them.
    vi.resetModules();
    const again = await import("./password");
    const crowd = Array.from({ length: 270 }, (_, nth) =>
      (nth % 2 === 0 ? isPassword : again.isPassword)(password, hashed, {
        from: `network ${nth % 5}`,
      }),
    );
    const settled = await Promise.allSettled(crowd);
    const refused = settled.filter(({ status }) => status === "rejected");
    expect(refused).toHaveLength(14 - hashingMax);
    expect(refused[0]).toMatchObject({ reason: { code: "PROF503" } });
    expect(settled.filter((one) => one.status === "fulfilled" && one.value)).toHaveLength(
      256 + hashingMax,
    );
    expect(await isPassword(password, hashed)).toBe(true);
  });

  test("of a crowd from one network keeps nobody waiting who comes from another", async () => {
    const hashed = await hash(password, { memoryCost: 1_024, timeCost: 1, parallelism: 1 });
    const ended: string[] = [];
    const from = (network: string) =>
      isPassword(password, hashed, { from: network }).then(
        () => ended.push(network),
        () => ended.push("refused"),
      );
    await Promise.all([...Array.from({ length: 80 }, () => from("crowd")), from("other")]);
    expect(ended.filter((one) => one === "refused")).toHaveLength(20 - hashingMax);
    expect(ended.filter((one) => one !== "refused").indexOf("other")).toBeLessThan(5);
  });

  test("from a network with few is checked although a crowd has filled the queue", async () => {
    const hashed = await hash(password, { memoryCost: 1_024, timeCost: 1, parallelism: 1 });
    const crowd = Promise.allSettled(
      Array.from({ length: 270 }, (_, nth) =>
        isPassword(password, hashed, { from: `network ${nth % 5}` }),
      ),
    );
    expect(await isPassword(password, hashed, { from: "other" })).toBe(true);
    expect((await crowd).filter(({ status }) => status === "rejected")).toHaveLength(
      15 - hashingMax,
    );
  });
});
