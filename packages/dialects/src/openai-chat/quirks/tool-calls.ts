import { CALL_ID_MARKS, toShortCallId, unpackCallId } from '../../call-id.ts';
import { asObject, type JsonObject } from '../../json/parse-object.ts';
import { getSignature } from '../decode-tool-calls.ts';
import { mapList } from './map-list.ts';
import type { ProviderQuirks } from './provider-quirks.ts';
import type { Quirk } from './quirk.ts';

/**
 * Gemini refuses the first call of a step without a signature, and documents a placeholder for a call that another
 * provider's model made (https://ai.google.dev/gemini-api/docs/thought-signatures#faqs). Models before the third need none.
 */
const FOREIGN_SIGNATURE = 'skip_thought_signature_validator';
const SIGNING_MODEL = /gemini-(?:[3-9]|\d\d)/;

export const callSignatures: Quirk<ProviderQuirks['callSignatures']> = {
  about: 'the member of a tool call that contains its signature; `none`: the signature is left out',
  entries: {
    marks: (kind, model) => {
      if (kind === 'none') return [...CALL_ID_MARKS, '"extra_content"'];
      return SIGNING_MODEL.test(model) ? [...CALL_ID_MARKS, '"tool_calls"'] : CALL_ID_MARKS;
    },
    fitMessage(message, kind, { model }) {
      const isRequired = kind === 'extra_content' && SIGNING_MODEL.test(model);
      const fitted = mapCallIds(message, (id) => unpackCallId(id).id);
      return mapList(fitted, 'tool_calls', (call, index) => {
        const given = asObject(asList(message['tool_calls'])[index]) ?? {};
        if (kind === 'none') return withoutSignature(call);
        if (getSignature(call) !== null) return call;
        const packed = typeof given['id'] === 'string' ? unpackCallId(given['id']).signature : null;
        const signature = packed ?? (isRequired && index === 0 ? FOREIGN_SIGNATURE : null);
        return signature === null ? call : withSignature(call, signature);
      });
    },
  },
};

function withoutSignature(call: JsonObject): JsonObject {
  if (call['extra_content'] === undefined) return call;
  const { extra_content: _signed, ...rest } = call;
  return rest;
}

function withSignature(call: JsonObject, signature: string): JsonObject {
  const extra = asObject(call['extra_content']) ?? {};
  const google = { ...asObject(extra['google']), thought_signature: signature };
  return { ...call, extra_content: { ...extra, google } };
}

export const callIds: Quirk<ProviderQuirks['callIds']> = {
  about:
    'if `short`, every id of a tool call is replaced by nine letters and digits, the same ones each time',
  entries: {
    marks: (kind) => (kind === 'short' ? ['"tool_calls"', '"tool_call_id"'] : []),
    fitMessage: (message, kind) => mapCallIds(message, (id) => fitCallId(id, kind)),
  },
};

/** The id of a call as a provider is sent it. */
export function fitCallId(id: string, kind: ProviderQuirks['callIds']): string {
  return kind === 'short' ? toShortCallId(id) : id;
}

/** Changes the ids of a message's calls, or of the call that its result names. */
export function mapCallIds(message: JsonObject, change: (id: string) => string): JsonObject {
  const fitted = mapId(message, 'tool_call_id', change);
  return mapList(fitted, 'tool_calls', (call) => mapId(call, 'id', change));
}

function mapId(object: JsonObject, member: string, change: (id: string) => string): JsonObject {
  const id = object[member];
  if (typeof id !== 'string' || id === '') return object;
  const changed = change(id);
  return changed === id ? object : { ...object, [member]: changed };
}

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
