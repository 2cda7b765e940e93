import { expect, it } from 'vitest';
import { proxyFor, readProxyEnvironment } from './proxy-environment.ts';

const getProxies = (source: Record<string, string>) => readProxyEnvironment(source).proxies;

it('uses HTTPS_PROXY for https addresses and HTTP_PROXY for http addresses, as curl does', () => {
  const proxies = getProxies({ HTTPS_PROXY: 'http://a.test:1', HTTP_PROXY: 'http://b.test:2' });
  expect(proxyFor(proxies, 'https://api.example.com')).toBe('http://a.test:1/');
  expect(proxyFor(proxies, 'http://api.example.com')).toBe('http://b.test:2/');
  expect(proxyFor(getProxies({ HTTP_PROXY: 'http://b.test:2' }), 'https://api.example.com')).toBeNull();
});

it('prefers the lower-case variables, and ignores empty ones', () => {
  const both = { https_proxy: 'http://lower.test', HTTPS_PROXY: 'http://upper.test' };
  expect(proxyFor(getProxies(both), 'https://x.test')).toBe('http://lower.test/');
  expect(proxyFor(getProxies({ ...both, https_proxy: ' ' }), 'https://x.test')).toBe('http://upper.test/');
});

it('takes an address without a scheme as http, as curl does', () => {
  expect(getProxies({ https_proxy: 'proxy.test:3128' }).https).toBe('http://proxy.test:3128/');
});

it('reaches hosts of NO_PROXY directly, by name and port', () => {
  const proxies = getProxies({ HTTPS_PROXY: 'http://a.test', no_proxy: 'internal.test:8443,localhost' });
  expect(proxyFor(proxies, 'https://localhost')).toBeNull();
  expect(proxyFor(proxies, 'https://internal.test:8443')).toBeNull();
  expect(proxyFor(proxies, 'https://internal.test')).toBe('http://a.test/');
});

it('names every invalid variable, without its value', () => {
  const { problems } = readProxyEnvironment({
    https_proxy: 'socks5://me:secret@proxy.test',
    HTTP_PROXY: 'http://me:secret%zz@proxy.test',
  });
  expect(problems).toEqual([
    'HTTP_PROXY must have its user name and password percent-encoded',
    'https_proxy must be an http or https URL such as http://proxy.example.com:3128',
  ]);
  expect(problems.join()).not.toContain('secret');
});
