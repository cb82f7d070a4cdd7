import { expect, test } from "vitest";
import { findPages, type Visitor } from "./find-pages";

test("pages are found by following links, one of each kind", async () => {
  const html: Record<string, string> = {
    "/dashboard": '<a class="x" href="/dashboard/agents">A</a><a href="/docs">D</a>',
    "/dashboard/agents":
      '<a href="/dashboard/agents/did%3Aprof%3Aagent%3Alocal%3Ais">I</a>' +
      '<a href="/dashboard/agents/did%3Aprof%3Aagent%3Alocal%3At">T</a>' +
      '<a href="/dashboard/agents?sort=name&amp;before=1">N</a><a href="/dashboard/agents#x">X</a>',
  };
  const visitor: Visitor = {
    load: async (address) => ({ status: 200, html: html[address] ?? "", ms: 1 }),
  };
  expect(await findPages(visitor, "dashboard")).toEqual([
    "/dashboard",
    "/dashboard/agents",
    "/dashboard/agents/did%3Aprof%3Aagent%3Alocal%3Ais",
    "/dashboard/agents?sort=name&before=1",
  ]);
});

test("admin pages lead to admin pages only, and to no file", async () => {
  const html =
    '<a href="/dashboard">D</a><a href="/admin/users?only=admin">U</a>' +
    '<a href="/admin/activity/export/csv">C</a>';
  const visitor: Visitor = { load: async () => ({ status: 200, html, ms: 1 }) };
  expect(await findPages(visitor, "admin")).toEqual(["/admin/agents", "/admin/users?only=admin"]);
});
