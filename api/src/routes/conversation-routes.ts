import type { Context, Hono } from 'hono';
import type { AppEnv } from '../app-env.ts';
import type { ApiDeps } from '../deps.ts';
import type { Exchange } from '../exchange.ts';
import type { CachedKey } from '../keys/key-cache.ts';
import type { StoredRequest } from './answer-stored.ts';
import { answerItem, answerItemCreation, answerItemDeletion, answerItemList } from './conversation-items.ts';
import {
  answerConversation,
  answerConversationCreation,
  answerConversationDeletion,
  answerConversationUpdate,
} from './conversations.ts';

type Answered = (
  c: Context<AppEnv>,
  route: (exchange: Exchange, key: CachedKey) => Promise<void>,
) => Response | Promise<Response>;

/** Adds the routes of `/v1/conversations`. @param answered runs a route */
export function addConversationRoutes(app: Hono<AppEnv>, deps: ApiDeps, answered: Answered): void {
  const stored = (c: Context<AppEnv>, answer: (deps: ApiDeps, request: StoredRequest) => Promise<void>) =>
    answered(c, (exchange, key) => answer(deps, { exchange, key, id: c.req.param('id') ?? '' }));
  const ofItem = (
    c: Context<AppEnv>,
    answer: (deps: ApiDeps, request: StoredRequest & { itemId: string }) => Promise<void>,
  ) =>
    answered(c, (exchange, key) => {
      const { id = '', item_id: itemId = '' } = c.req.param() as { id?: string; item_id?: string };
      return answer(deps, { exchange, key, id, itemId });
    });
  app.post('/v1/conversations', (c) => stored(c, answerConversationCreation));
  app.get('/v1/conversations/:id', (c) => stored(c, answerConversation));
  app.post('/v1/conversations/:id', (c) => stored(c, answerConversationUpdate));
  app.delete('/v1/conversations/:id', (c) => stored(c, answerConversationDeletion));
  app.post('/v1/conversations/:id/items', (c) => stored(c, answerItemCreation));
  app.get('/v1/conversations/:id/items', (c) => stored(c, answerItemList));
  app.get('/v1/conversations/:id/items/:item_id', (c) => ofItem(c, answerItem));
  app.delete('/v1/conversations/:id/items/:item_id', (c) => ofItem(c, answerItemDeletion));
}
