import type { SecurityEvent } from "./enqueue";
import type { Letter } from "./letter";

// The mails of the gateway. Each has a sample, with which a test sets it.

export interface AgentShown {
  did: string;
  name: string;
}

/** An agent names itself: its name is shown in quotation marks, with its identifier. */
const agentWords = ({ name, did }: AgentShown) => `“${name}” (${did})`;

export function accessRequestLetter(request: {
  agent: AgentShown;
  scopes: number;
  profile: string;
  requestId: string;
}): Letter {
  const { agent, scopes, profile, requestId } = request;
  const what = scopes === 1 ? "one category" : `${scopes} categories`;
  return {
    subject: `An agent asks for access: “${agent.name}”`,
    paragraphs: [
      `The agent ${agentWords(agent)} asks to read ${what} of your profile ${profile}.`,
      "Nothing is opened before you decide, and opening the page decides nothing.",
    ],
    link: { words: "See the request", path: `/dashboard/access?request=${requestId}` },
    foot: "You get this mail because agents may ask for access to your profile.",
    stops: "requests",
  };
}

export function newAgentLetter({ agent, profile }: { agent: AgentShown; profile: string }): Letter {
  return {
    subject: `A new agent came to your profile: “${agent.name}”`,
    paragraphs: [
      `The agent ${agentWords(agent)} came to your profile ${profile}. Its activity has nothing of this agent before.`,
      "Its page shows what it got and what it would get, and ends its access in one step.",
    ],
    link: { words: "See the agent", path: `/dashboard/agents/${encodeURIComponent(agent.did)}` },
    foot: "You get this mail because you want to know of new agents.",
    stops: "agents",
  };
}

export function digestLetter({
  proposals,
  requests,
  texts,
}: {
  proposals: number;
  requests: number;
  /** Of the newest proposals, where the owner wants them in mails. */
  texts: string[];
}): Letter {
  const waiting = [
    ...(proposals > 0 ? [proposals === 1 ? "1 proposal" : `${proposals} proposals`] : []),
    ...(requests > 0
      ? [requests === 1 ? "1 request for access" : `${requests} requests for access`]
      : []),
  ].join(" and ");
  const verb = proposals + requests === 1 ? "waits" : "wait";
  return {
    subject: `${waiting} ${verb} for you`,
    paragraphs: [
      `${waiting} ${verb} for your decision. Nothing becomes memory before you approve it.`,
    ],
    quotes: texts,
    link: { words: "Review", path: proposals > 0 ? "/dashboard/proposals" : "/dashboard/access" },
    foot: "You get this digest as your mail settings say.",
    stops: "digest",
  };
}

const accountPage = { words: "See your account", path: "/dashboard/settings/account" };

const events: Record<SecurityEvent, { subject: string; what: string; link?: Letter["link"] }> = {
  signed_in: {
    subject: "A new sign-in to your account",
    what: "Your account was signed in to, from a browser in which you were not signed in.",
  },
  password_changed: {
    subject: "Your password was changed",
    what: "The password of your account was changed, and every other session has ended.",
  },
  password_reset: {
    subject: "Your password was reset",
    what: "A new password was chosen by a link, every session has ended, and every other way to sign in is unlinked.",
  },
  reset_link_made: {
    subject: "A link to choose a new password was made",
    what: "An admin of the gateway made a link with which a new password can be chosen for your account.",
  },
  address_changed: {
    subject: "This is the address of your account now",
    what: "Your account uses this address from now on: you sign in with it, and mails come here.",
  },
  address_left: {
    subject: "The address of your account was changed",
    what: "Your account uses another address from now on. No more mails about it come here.",
  },
  key_added: {
    subject: "A signing key was added",
    what: "A signing key was added to your profile. Requests that it signs are answered as yours.",
    link: { words: "See your keys", path: "/dashboard/settings/keys" },
  },
  sign_in_linked: {
    subject: "Another way to sign in was linked",
    what: "An account elsewhere was linked to yours: it signs in to yours from now on.",
  },
  sign_in_unlinked: {
    subject: "A way to sign in was unlinked",
    what: "An account elsewhere no longer signs in to yours.",
  },
  client_connected: {
    subject: "A program was connected to your profile",
    what: "A program was connected to your profile and may read what you opened to it.",
    link: { words: "See your agents", path: "/dashboard/agents" },
  },
  role_changed: {
    subject: "Your role was changed",
    what: "An admin changed what your account may do on this gateway.",
  },
  transfer_requested: {
    subject: "A profile is to be handed over",
    what: "An admin wants to hand a profile over, from your account or to it. It takes effect as its page says.",
    link: { words: "See the transfer", path: "/dashboard" },
  },
};

export function securityLetter(event: SecurityEvent): Letter {
  const { subject, what, link = accountPage } = events[event];
  return {
    subject,
    paragraphs: [
      what,
      "If this was you, or you expected it, there is nothing to do. If not, change your password now, and ask an admin of the gateway for help.",
    ],
    link: event === "address_left" ? undefined : link,
    foot: "This mail is about the security of your account, and is always sent.",
  };
}

export function invitationLetter({ token }: { token: string }): Letter {
  return {
    subject: "You are invited to a Profile Access Gateway",
    paragraphs: [
      "An admin of the gateway invites you to make an account. It comes with a profile of your own, and you decide what agents read of it.",
      "The link works once, for seven days. A newer invitation replaces it.",
    ],
    link: { words: "Accept the invitation", path: `/link/${token}` },
    foot: "If you do not expect an invitation, do nothing: no account is made.",
  };
}

export function resetLetter({ token }: { token: string }): Letter {
  return {
    subject: "Choose a new password",
    paragraphs: [
      "Somebody, probably you, said on the sign-in page that the password of your account is forgotten, or an admin sends you this.",
      "The link works once, for an hour. Until it is used, the old password works.",
    ],
    link: { words: "Choose a new password", path: `/link/${token}` },
    foot: "If that was not you, do nothing: nothing was changed.",
  };
}

export function addressLetter({ token }: { token: string }): Letter {
  return {
    subject: "Confirm your e-mail address",
    paragraphs: [
      "Confirm that you read mail at this address, and your account uses it: for requests that wait for you, and for what concerns security.",
      "The link works once, for an hour.",
    ],
    link: { words: "Confirm the address", path: `/link/${token}` },
    foot: "If you have no account there, do nothing: this address is not used then.",
  };
}

export function webhookPausedLetter(agent: AgentShown): Letter {
  return {
    subject: `The webhook of “${agent.name}” is paused`,
    paragraphs: [
      `The receiver of the agent ${agentWords(agent)} failed too often or takes no messages any more, so nothing is sent to it. What happens next is kept for three days.`,
      "Its page has the answers that came. Resume the webhook there once the receiver works.",
    ],
    link: {
      words: "See the webhook",
      path: `/dashboard/agents/${encodeURIComponent(agent.did)}/webhook`,
    },
    foot: "You get this mail because you registered the agent.",
  };
}
