import { CHAT_LIMIT_MEMBERS, TAKEN_LIMIT_MEMBERS, type ChatLimitMember } from '../../limit-members.ts';
import type { ProviderQuirks } from './provider-quirks.ts';
import type { Quirk } from './quirk.ts';

export const maxTokensMember: Quirk<ProviderQuirks['maxTokensMember']> = {
  about: 'the name of the output limit; with `max_completion_tokens`, both names are sent as they are',
  body: {
    members: (name) => REPLACED[name],
    fit(body, name) {
      for (const other of REPLACED[name]) {
        const limit = body[other];
        if (limit === undefined) continue;
        delete body[other];
        // null is no limit, and must not replace one.
        if (limit !== null) body[name] = limit;
      }
    },
  },
};

function otherLimits(name: ChatLimitMember): readonly ChatLimitMember[] {
  return CHAT_LIMIT_MEMBERS.filter((other) => !TAKEN_LIMIT_MEMBERS[name].includes(other));
}

/** The names that a provider does not obey, by the name that it does. */
const REPLACED: { readonly [Name in ChatLimitMember]: readonly ChatLimitMember[] } = {
  max_tokens: otherLimits('max_tokens'),
  max_completion_tokens: otherLimits('max_completion_tokens'),
};

export const takesTopK: Quirk<boolean> = {
  about: 'if false, `top_k` is dropped',
  body: {
    members: (isTaken) => (isTaken ? [] : ['top_k']),
    fit(body, isTaken, { report }) {
      if (isTaken || body['top_k'] === undefined) return;
      if (body['top_k'] !== null) report.drop('top_k');
      delete body['top_k'];
    },
  },
};

export const maxStopSequences: Quirk<number | null> = {
  about: 'a request with more stop sequences is refused',
  body: {
    members: (most) => (most === null ? [] : ['stop']),
    fit({ stop }, most, { report }) {
      if (most !== null && Array.isArray(stop) && stop.length > most)
        report.refuse('stop', `more than ${most} stop sequences`);
    },
  },
};

/** The gateway itself requests usage in streams if the provider supports that. */
const OWN_MEMBER = 'stream_options';

export const omits: Quirk<readonly string[]> = {
  about: 'members that the provider refuses are dropped',
  body: {
    members: (names) => names,
    fit(body, names, { report }) {
      for (const name of names) {
        if ((body[name] ?? null) !== null && name !== OWN_MEMBER) report.drop(name);
        delete body[name];
      }
    },
  },
};
