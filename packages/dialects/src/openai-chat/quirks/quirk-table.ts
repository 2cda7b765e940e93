import type { JsonObject } from '../../json/parse-object.ts';
import { developerRole, takesCacheControl, takesFileUrls, takesTextLists } from './content.ts';
import type { ProviderQuirks } from './provider-quirks.ts';
import type { Quirk, QuirkContext } from './quirk.ts';
import { reasoningField, reasoningMember } from './reasoning.ts';
import { maxStopSequences, maxTokensMember, omits, takesTopK } from './settings.ts';
import { callIds, callSignatures } from './tool-calls.ts';

/**
 * What each quirk does to a request. Passthrough and translation both apply every entry, in this order; a field without an
 * entry does not compile.
 */
export const QUIRKS: { readonly [Name in keyof ProviderQuirks]: Quirk<ProviderQuirks[Name]> } = {
  maxTokensMember,
  developerRole,
  reasoningMember,
  reasoningField,
  takesCacheControl,
  takesTopK,
  takesFileUrls,
  takesTextLists,
  // Takes signatures out of the ids before these are shortened.
  callSignatures,
  callIds,
  maxStopSequences,
  omits,
};

/** All quirks of a provider as functions of a request. */
export interface QuirkFits {
  /** Members of the body that `fitBody` reads. */
  members: readonly string[];
  fitBody: (body: JsonObject, context: QuirkContext) => void;
  /** Texts of which a message or a tool has one if it may change. */
  marks: (model: string) => readonly string[];
  fitMessage: (message: JsonObject, context: QuirkContext & { at: string }) => JsonObject;
  fitTool: (tool: JsonObject, context: QuirkContext) => JsonObject;
}

const FITS = new WeakMap<ProviderQuirks, QuirkFits>();

/** Reads the table for a provider. */
export function getFits(quirks: ProviderQuirks): QuirkFits {
  const known = FITS.get(quirks);
  if (known !== undefined) return known;
  const all: QuirkFits[] = [];
  for (const name in QUIRKS) if (isName(name)) all.push(bind(name, quirks));
  const fits: QuirkFits = {
    members: [...new Set(all.flatMap(({ members }) => members))],
    fitBody: (body, context) => {
      for (const { fitBody } of all) fitBody(body, context);
    },
    marks: (model) => [...new Set(all.flatMap(({ marks }) => marks(model)))],
    fitMessage: (message, context) =>
      all.reduce((fitted, { fitMessage }) => fitMessage(fitted, context), message),
    fitTool: (tool, context) => all.reduce((fitted, { fitTool }) => fitTool(fitted, context), tool),
  };
  FITS.set(quirks, fits);
  return fits;
}

const isName = (name: string): name is keyof ProviderQuirks => name in QUIRKS;

function bind<Name extends keyof ProviderQuirks>(name: Name, quirks: Pick<ProviderQuirks, Name>): QuirkFits {
  const { body, entries }: Quirk<ProviderQuirks[Name]> = QUIRKS[name];
  const value = quirks[name];
  return {
    members: body?.members(value) ?? [],
    fitBody: (given, context) => body?.fit(given, value, context),
    marks: (model) => entries?.marks(value, model) ?? [],
    fitMessage: (message, context) => entries?.fitMessage(message, value, context) ?? message,
    fitTool: (tool, context) => entries?.fitTool?.(tool, value, context) ?? tool,
  };
}
