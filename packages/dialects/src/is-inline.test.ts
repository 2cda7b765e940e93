import { expect, it } from 'vitest';
import { isInline } from './is-inline.ts';

const STORED_NAMES =
  'video_id videoId videoID VIDEO_ID video-id videoid clip_ids clipIDs clip_uuid fileId fileid fileIds ' +
  'asset_id assetId upload_id blobId thread_id response_id asset_ref assetRef ref content_refs ' +
  'fileReference media_handle mediaHandle handle imageUrl imageURL imageURLs image_urls imageurl gcsUri ' +
  'gcsURI fileuri sourceHref filePath fileData inputFile audioBytes';

it.each([
  { type: 'agent_message', text: 'Done.', id: 'a' },
  { type: 'ghost_snapshot', commit: { id: 'abc', parents: ['x', 'y'] } },
  { type: 'future', file_id: null, url: '', text: 'see https://example.com' },
  { type: 'future', call_id: 'c', tool_use_id: 't', item_id: 'i', id: 'a', text: 'x' },
  { type: 'future', callId: 'c', toolUseId: 't', itemIDs: ['i'], parent_message_id: 'm', requestId: 'r' },
  { type: 'future', message: { id: 'm' }, calls: [{ id: 'c' }] },
  { type: 'future', uuid: 'a', valid: 'x', metadata: 'x', pathology: 'x', $ref: '#/$defs/a' },
])('is true for text: %j', (item) => {
  expect(isInline(item)).toBe(true);
});

it.each([
  { type: 'future', file_id: 'file_1' },
  { type: 'future', source: { url: 'example.com/a' } },
  { type: 'future', image_url: 'https://example.com/a.png' },
  { type: 'future', target: 'https://example.com/a' },
  { type: 'future', parts: [{ content: ['s3://bucket/a'] }] },
  { type: 'future', file_data: 'AAAA' },
  { type: 'input_video', video: { id: 'video_1' } },
  { type: 'future', documents: [{ id: 'doc_1' }] },
  { type: 'future', vector_store_ids: ['vs_1'] },
  { type: 'future', inner: 'data:application/pdf;base64,AA==' },
  ...STORED_NAMES.split(' ').map((name) => ({ type: 'future', [name]: 'a' })),
])('is false for what is stored, fetched or packed: %j', (item) => {
  expect(isInline(item)).toBe(false);
});

it('is false for unrealistically deep nesting', () => {
  let item: object = { text: 'x' };
  for (let level = 0; level < 2_000; level += 1) item = level % 2 === 0 ? { item } : { items: [item] };
  expect(isInline({ type: 'future', item })).toBe(false);
});
