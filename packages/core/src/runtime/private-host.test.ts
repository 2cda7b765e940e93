import { expect, it } from 'vitest';
import { isPrivateHost } from './private-host.ts';

it.each([
  'localhost',
  'metadata',
  'grafana',
  'vllm.svc',
  'nas.lan',
  'x.corp',
  'printer.home.arpa',
  'metadata.google.internal.',
  'LOCALHOST.',
  '0.0.0.0',
  '10.0.0.1',
  '127.0.0.1',
  '100.64.0.1',
  '169.254.169.254',
  '172.31.0.1',
  '192.168.0.1',
  '198.18.0.1',
  '255.255.255.255',
  '[::]',
  '[::1]',
  '[::7f00:1]',
  '[::ffff:7f00:1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  '[2001::7f00:1]',
  '[fd00::1]',
  'fe80::1',
])('%s is private', (host) => expect(isPrivateHost(host)).toBe(true));

it.each([
  'example.com',
  'internal.example.com',
  'local.de.',
  '1.1.1.1',
  '172.32.0.1',
  '100.128.0.1',
  '198.20.0.1',
  '[2606:4700::1111]',
  '2001:4860:4860::8888',
])('%s is public', (host) => expect(isPrivateHost(host)).toBe(false));
