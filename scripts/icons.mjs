import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// Writes public/icons.svg, one symbol per name, from the icons of Phosphor (MIT).
const list = new URL("../app/_components/icon-names.ts", import.meta.url);
const iconNames = [...readFileSync(list, "utf8").matchAll(/"([a-z-]+)"/g)].map(([, name]) => name);
const source = "@phosphor-icons/core@2.1.1";
const folder = mkdtempSync(join(tmpdir(), "icons-"));
try {
  execFileSync("npm", ["pack", source, "--silent", "--pack-destination", folder]);
  execFileSync("sh", ["-c", "tar xzf *.tgz"], { cwd: folder });
  const symbols = iconNames.map((name) => {
    const style = /-(fill|bold)$/.exec(name)?.[1] ?? "regular";
    const svg = readFileSync(join(folder, "package/assets", style, `${name}.svg`), "utf8");
    const inside = svg.replace(/^<svg[^>]*>|<\/svg>\s*$/g, "");
    return `<symbol id="${name}" viewBox="0 0 256 256">${inside}</symbol>`;
  });
  const license = readFileSync(join(folder, "package/LICENSE"), "utf8").trim();
  const text = `<svg xmlns="http://www.w3.org/2000/svg" aria-hidden="true">\n<!-- Phosphor Icons\n${license} -->\n${symbols.join("\n")}\n</svg>\n`;
  writeFileSync(new URL("../public/icons.svg", import.meta.url), text);
} finally {
  rmSync(folder, { recursive: true });
}
