import { describe, expect, it } from 'vitest';
import { BASE_CONTRACTS } from './base-contracts.ts';
import { storedKindOfAddress } from './content-address.ts';
import { inspectRequest } from './inspect-request.ts';
import { classifyBody } from './request-members.ts';
import { encodeSignature } from '../thinking-signature.ts';

describe('the address of content', () => {
  it.each([
    'gs://bucket/secret.png',
    's3://bucket/secret.png',
    'gs://bucket.example.com/secret.png',
    'ftp://example.com/secret.png',
    'file:///etc/passwd',
    ' FILE:///etc/passwd',
    '/etc/passwd',
    '../secret.png',
    'http://localhost/a.png',
    'http://LOCALHOST:8000/a.png',
    'http://127.0.0.1/a.png',
    'http://2130706433/a.png',
    'http://0x7f.1/a.png',
    'http://169.254.169.254/latest/meta-data/',
    'http://metadata.google.internal/computeMetadata/v1/',
    'https://10.1.2.3/a.png',
    'https://172.20.0.1/a.png',
    'https://192.168.1.1/a.png',
    'http://[::1]/a.png',
    'http://[::ffff:127.0.0.1]/a.png',
    'http://[fd00::1]/a.png',
    'http://user@127.0.0.1/a.png',
    'ht\ntp://127.0.0.1/a.png',
    'http://',
    'http://metadata/computeMetadata',
    'http://grafana:3000/',
    'http://vllm.svc/',
    'http://printer.home.arpa',
    'http://198.18.0.1',
    'http://[64:ff9b::7f00:1]',
    'http://[::7f00:1]',
    'http://[2002:7f00:1::]',
  ])('is only for the provider: %j', (address) => {
    expect(storedKindOfAddress(address)).toBe('address');
  });

  it('is an uploaded file at the Gemini API', () => {
    expect(storedKindOfAddress('https://generativelanguage.googleapis.com/v1beta/files/abc')).toBe('file');
    expect(storedKindOfAddress('https://GENERATIVELANGUAGE.googleapis.com/v1beta/files/abc')).toBe('file');
    expect(storedKindOfAddress('https://generativelanguage.googleapis.com./v1beta/files/abc')).toBe('file');
    expect(storedKindOfAddress('https://generativelanguage.googleapis.com/v1beta/%66iles/abc')).toBe('file');
    expect(storedKindOfAddress('https://generativelanguage.googleapis.com/v1beta//files/abc')).toBe('file');
  });

  it.each([
    'https://example.com/a.png',
    'http://example.com/files/a.png',
    'https://172.32.0.1/a.png',
    'https://internal.example.com/a.png',
    'data:image/png;base64,iVBORw0KGgo=',
    ' data:image/png;base64,iVBORw0KGgo=',
    'iVBORw0KGgo=',
    '',
    null,
  ])('is open to everyone, or content: %j', (address) => {
    expect(storedKindOfAddress(address)).toBeNull();
  });
});

const ADDRESS = 'gs://bucket/secret.png';
const PARTS: Record<'chat' | 'messages' | 'responses', [part: object, place: string][]> = {
  chat: [
    [{ type: 'image_url', image_url: { url: ADDRESS } }, 'image_url.url'],
    [{ type: 'image_url', image_url: ADDRESS }, 'image_url'],
    [{ type: 'video_url', video_url: { url: ADDRESS } }, 'video_url.url'],
    [{ type: 'image_url', image_url: [{ url: ADDRESS }] }, 'image_url.0.url'],
    [{ type: 'image_url', image_url: [ADDRESS] }, 'image_url.0'],
    [{ type: 'image_url', image_url: { uri: ADDRESS } }, 'image_url.uri'],
    [{ type: 'image_url', image_url: { url: { url: ADDRESS } } }, 'image_url.url.url'],
    [{ type: 'image_url', imageUrl: { url: ADDRESS } }, 'imageUrl.url'],
    [{ type: 'image', image: ADDRESS }, 'image'],
    [{ type: 'video', video: [ADDRESS] }, 'video.0'],
    [{ type: 'file', file: { file_data: ADDRESS } }, 'file.file_data'],
    [{ type: 'file', file: { url: ADDRESS } }, 'file.url'],
    [{ type: 'document_url', document_url: ADDRESS }, 'document_url'],
    [{ type: 'input_audio', input_audio: { data: ADDRESS } }, 'input_audio.data'],
    [{ type: 'input_audio', input_audio: { data: `${' '.repeat(200)}${ADDRESS}` } }, 'input_audio.data'],
    [{ type: 'media', media: { url: ADDRESS } }, 'media.url'],
    [{ type: 'fileData', fileData: { fileUri: ADDRESS } }, 'fileData.fileUri'],
  ],
  messages: [
    [{ type: 'image', source: { type: 'url', url: ADDRESS } }, 'source.url'],
    [{ type: 'document', source: { type: 'url', url: ADDRESS } }, 'source.url'],
  ],
  responses: [
    [{ type: 'input_image', image_url: ADDRESS }, 'image_url'],
    [{ type: 'input_file', file_url: ADDRESS }, 'file_url'],
  ],
};

describe.each(['chat', 'messages', 'responses'] as const)('a part of a conversation: %s', (endpoint) => {
  const member = endpoint === 'responses' ? 'input' : 'messages';
  const inspect = (part: unknown) => {
    const body = { [member]: [{ role: 'user', content: [part] }] };
    return inspectRequest({}, BASE_CONTRACTS[endpoint], classifyBody(body).conversation);
  };

  it.each(PARTS[endpoint])('is restricted if only the provider can reach its content: %j', (part, place) => {
    expect(inspect(part).restricted).toMatchObject([
      {
        param: `${member}.0.content.0.${place}`,
        because: 'only the provider can reach this address',
        allowedAs: 'stored.address',
      },
    ]);
  });

  it.each([
    { type: 'text', text: 'http://10.0.0.1/' },
    { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Note: http://10.0.0.1/' } },
    { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: '/9j/4AAQSkZJRg==' } },
    { type: 'input_audio', input_audio: { data: '/9j/4AAQSkZJRg==', format: 'wav' } },
    { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' } },
    { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
    { type: 'redacted_thinking', data: encodeSignature({ type: 'reasoning.encrypted', data: 'gAAA' }) },
  ])('is not restricted with its own content: %j', (part) => {
    expect(inspect(part).restricted).toEqual([]);
  });

  it('is not restricted for the source of a search result', () => {
    expect(inspect({ type: 'search_result', source: '/docs/a.md' }).restricted).toEqual([]);
  });
});
