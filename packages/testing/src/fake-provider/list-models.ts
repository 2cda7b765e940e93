import type { FakeDialect } from './script.ts';

const CREATED = 1_760_000_000;

/** The body of `GET /v1/models` in a dialect. */
export function listModels(dialect: FakeDialect, ids: readonly string[]): Buffer {
  if (dialect === 'anthropic-messages') {
    const created = new Date(CREATED * 1000).toISOString();
    const models = ids.map((id) => ({ type: 'model', id, display_name: id, created_at: created }));
    const edges = { first_id: ids[0] ?? null, last_id: ids.at(-1) ?? null, has_more: false };
    return Buffer.from(JSON.stringify({ data: models, ...edges }));
  }
  const data = ids.map((id) => ({ id, object: 'model', created: CREATED, owned_by: 'fake' }));
  return Buffer.from(JSON.stringify({ object: 'list', data }));
}
