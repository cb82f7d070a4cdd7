import { Button } from "../_components/button";
import { didName } from "../_components/words/did-name";
import { chooseProfile } from "./choose-profile";

interface ProfileSwitchProps {
  profiles: string[];
  chosen: string | null;
}

/** Only for who has several: everything in the dashboard is of the chosen one. */
export function ProfileSwitch({ profiles, chosen }: ProfileSwitchProps) {
  if (profiles.length < 2 || chosen === null) return null;
  return (
    <details className="group/profile rounded-box border border-line">
      <summary className="flex min-h-10 list-none items-center justify-between gap-2 px-3">
        <span className="min-w-0">
          <span className="sr-only">Profile: </span>
          <span className="block truncate font-medium" title={chosen}>
            {didName(chosen)}
          </span>
        </span>
        <span className="text-small text-muted">Switch</span>
      </summary>
      <form action={chooseProfile} className="flex flex-col border-t border-line p-1">
        {profiles.map((did) => (
          <Button
            key={did}
            type="submit"
            look="quiet"
            name="profile"
            value={did}
            title={did}
            aria-current={did === chosen ? "true" : undefined}
            className="justify-start aria-[current=true]:font-semibold aria-[current=true]:text-ink"
          >
            <span className="truncate">{didName(did)}</span>
          </Button>
        ))}
      </form>
    </details>
  );
}
