"use client";

import { type ReactNode, useId } from "react";
import { Button } from "../../../_components/button";
import { Icon, type IconName } from "../../../_components/icon";
import { Sensitive } from "../../../_components/shown/sensitive";
import { type Part, switchPrefix } from "./words/grant-words";
import type { LastingChoice } from "./words/lasting-words";

export interface Switch extends Part {
  title: string;
  icon: IconName;
  sensitive: boolean;
  /** A rule or an admin's limit keeps it closed: there is nothing to switch on. */
  isLocked: boolean;
  /** What it opens. */
  body: ReactNode;
}

interface GroupProps {
  values: Record<string, string>;
  issue: string | undefined;
}

/** A part for each scope; all start closed. An open one lies on the agent's side, and the line runs round it. */
export function Switches({ switches, values, issue }: GroupProps & { switches: Switch[] }) {
  const id = useId();
  return (
    <>
      {issue !== undefined && (
        <p id={id} className="part pt-2 text-danger">
          {issue}
        </p>
      )}
      {switches.map(({ scope, title, icon, sensitive, isLocked, body }) => {
        const Row = isLocked ? "p" : "label";
        return (
          <section key={scope} className="part group/part">
            <div className="flex flex-wrap items-center gap-x-2.5">
              <Row className="flex min-h-11 max-w-full items-center gap-2.5 rail:min-h-9">
                {!isLocked && (
                  <input
                    key={values[switchPrefix + scope]}
                    type="checkbox"
                    name={switchPrefix + scope}
                    defaultChecked={values[switchPrefix + scope] !== undefined}
                    {...invalid(issue, id)}
                    className="switch"
                  />
                )}
                <Icon icon={icon} />
                <span title={scope} className="font-semibold wrap-anywhere">
                  {title}
                </span>
              </Row>
              {sensitive && <Sensitive />}
              <State icon="eye" className="part-open">
                will be seen
              </State>
              <State icon="lock-simple-fill" className="part-shut">
                {isLocked ? "cannot be opened" : "stays closed"}
              </State>
            </div>
            {body}
          </section>
        );
      })}
    </>
  );
}

function invalid(issue: string | undefined, id: string) {
  return issue === undefined ? {} : { "aria-invalid": true, "aria-describedby": id };
}

function State({
  icon,
  className,
  children,
}: {
  icon: IconName;
  className: string;
  children: ReactNode;
}) {
  return (
    <span className={className}>
      <Icon icon={icon} className="size-4" />
      {children}
    </span>
  );
}

interface LifetimeProps extends GroupProps {
  choices: readonly LastingChoice[];
}

/** For how long: nothing is chosen, the shortest comes first. */
export function Lifetime({ choices, values, issue }: LifetimeProps) {
  const id = useId();
  return (
    <fieldset>
      <legend className="font-semibold">For how long</legend>
      <div
        role="radiogroup"
        aria-label="For how long"
        {...invalid(issue, id)}
        tabIndex={-1}
        className="mt-1.5"
      >
        {choices.map((choice) => (
          <Radio key={choice.value} choice={choice} isChosen={values.choice === choice.value} />
        ))}
      </div>
      {issue !== undefined && (
        <p id={id} className="mt-1.5 scroll-mb-14 text-danger">
          {issue}
        </p>
      )}
      <noscript>
        <Button type="submit" look="secondary" name="intent" value="preview" className="mt-4">
          Show what it would see
        </Button>
      </noscript>
    </fieldset>
  );
}

interface RadioProps {
  choice: LastingChoice;
  isChosen: boolean;
}

function Radio({ choice: { value, title, note }, isChosen }: RadioProps) {
  return (
    <label className="flex min-h-11 cursor-pointer items-center gap-2.5 rail:min-h-8">
      <input
        key={String(isChosen)}
        type="radio"
        name="choice"
        value={value}
        defaultChecked={isChosen}
        className="size-4.5 shrink-0 accent-ink"
      />
      <span>
        <span className="font-medium">{title}</span>{" "}
        {note !== null && <span className="text-small text-theirs-muted">{note}</span>}
      </span>
    </label>
  );
}
