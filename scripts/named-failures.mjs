// A reporter of vitest: what passed and what failed, by name and reasons, for the closing lines of
// `npm test`. What no test owns (a hook, a file that cannot be read, an error nobody caught) has a name too.
import { writeFileSync } from "node:fs";
import path from "node:path";

export default class NamedFailures {
  onTestRunEnd(modules, uncaught) {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const suites = modules.flatMap((module) => [module, ...module.children.allSuites()]);
    const failures = [
      ...tests
        .filter((test) => test.result().state === "failed")
        .map((test) => failure(`${fileOf(test.module)}: ${test.fullName}`, test.result().errors)),
      ...suites
        .filter((suite) => suite.errors().length > 0)
        .map((suite) =>
          failure(
            `${fileOf(suite.module ?? suite)}: ${suite.fullName ?? "the file"}`,
            suite.errors(),
          ),
        ),
      // Whose it is may be wrong: it came while that file ran.
      ...uncaught.map((error) =>
        failure(`an error nobody caught, while ${error.VITEST_TEST_PATH ?? "no file"} ran`, [
          error,
        ]),
      ),
    ];
    const passes = tests.filter((test) => test.result().state === "passed").length;
    writeFileSync(process.env.TEST_REPORT, JSON.stringify({ passes, failures }));
  }
}

function fileOf(module) {
  return path.relative(".", module.moduleId);
}

function failure(name, errors) {
  const lines = errors.flatMap(({ message, stack, diff = "" }) =>
    `${stack ?? message}\n${diff}`.split("\n"),
  );
  const told = lines.filter((line) => line !== "" && !/node_modules|<anonymous>/.test(line));
  return { name, why: told.join("\n") };
}
