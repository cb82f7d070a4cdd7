// A reporter of vitest: what passed and what failed, by name and reason, for the closing lines of
// `npm test`. What no test owns (a hook, a file that cannot be read, an error nobody caught) has a name too.
import { writeFileSync } from "node:fs";
import path from "node:path";

// What was expected, what came, and where.
const reasonLinesMax = 8;

export default class NamedFailures {
  onTestRunEnd(modules, uncaught) {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const suites = modules.flatMap((module) => [module, ...module.children.allSuites()]);
    const failures = [
      ...tests
        .filter((test) => test.result().state === "failed")
        .flatMap((test) => named(`${fileOf(test.module)}: ${test.fullName}`, test.result().errors)),
      ...suites.flatMap((suite) =>
        named(`${fileOf(suite.module ?? suite)}: ${suite.fullName ?? "the file"}`, suite.errors()),
      ),
      // Whose it is may be wrong: it came while that file ran.
      ...uncaught.flatMap((error) =>
        named(`an error nobody caught, while ${error.VITEST_TEST_PATH ?? "no file"} ran`, [error]),
      ),
    ];
    const passes = tests.filter((test) => test.result().state === "passed").length;
    writeFileSync(process.env.TEST_REPORT, JSON.stringify({ passes, failures }));
  }
}

function fileOf(module) {
  return path.relative(".", module.moduleId);
}

function named(name, errors) {
  return errors.map(({ message, stack = message }) => {
    const lines = stack.split("\n").filter((line) => !/node_modules|<anonymous>/.test(line));
    return { name, why: lines.slice(0, reasonLinesMax).join("\n") };
  });
}
