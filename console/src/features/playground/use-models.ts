import { findSampleModel, listChatModels } from '../../lib/sample-model.ts';
import type { Catalogue } from '../../lib/trpc.ts';
import { getConversation, type Turn } from './conversation.ts';
import { changePlayground, readPlayground, stopAnswer } from './playground-store.ts';
import { MOST_COMPARED } from './search.ts';
import { useSettings } from './use-settings.ts';

/**
 * The models of the playground: the chosen one, then the compared ones.
 * @param shown from `listShownModels`
 */
export function useModels(accountId: string, catalogue: Catalogue, shown: readonly string[]) {
  const { change } = useSettings();
  const set = (models: readonly string[]) =>
    change({ model: models[0], compare: models.length > 1 ? models.slice(1) : undefined });
  /** Materializes what is shown, so that a change of places does not change conversations. */
  const arrange = (pick: (conversations: Turn[][]) => Turn[][]) => {
    const { conversations } = readPlayground(accountId);
    const all = shown.map((_, place) => getConversation(conversations, place));
    changePlayground(accountId, { conversations: pick(all), results: {} });
  };
  return {
    canAdd: shown.length <= MOST_COMPARED,
    add: () => {
      const unused = listChatModels(catalogue.models).filter(({ id }) => !shown.includes(id));
      const next = findSampleModel(unused)?.id ?? shown[0];
      if (next === undefined) return;
      arrange((all) => all);
      // A new place has no conversation yet: it starts with the messages to the first model.
      set([...shown, next]);
    },
    choose: (place: number, model: string) => set(shown.map((id, at) => (at === place ? model : id))),
    remove: (place: number) => {
      const last = getConversation(readPlayground(accountId).conversations, place).at(-1);
      if (last !== undefined) stopAnswer(last.id);
      arrange((all) => all.filter((_, at) => at !== place));
      set(shown.filter((_, at) => at !== place));
    },
  };
}

/** The models of the URL that this account can use. The first is the cheapest one if the URL names none. */
export function listShownModels(
  catalogue: Catalogue,
  wanted: { model?: string | undefined; compare?: readonly string[] | undefined },
): string[] {
  const chat = new Set(listChatModels(catalogue.models).map(({ id }) => id));
  const first =
    wanted.model !== undefined && chat.has(wanted.model)
      ? wanted.model
      : findSampleModel(catalogue.models)?.id;
  if (first === undefined) return [];
  return [first, ...(wanted.compare ?? []).filter((id) => chat.has(id))];
}
