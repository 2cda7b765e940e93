import { createMiddleware } from 'hono/factory';
import type { AppEnv } from './app-env.ts';

// Radix and Sonner put style elements into the page, so styles may be inline; scripts never are.
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** @param isSecure true where the console is reached by https: then browsers are told to stay there */
export function securityHeaders(isSecure: boolean) {
  return createMiddleware<AppEnv>(async function securityHeaders(c, next) {
    await next();
    c.header('content-security-policy', CONTENT_SECURITY_POLICY);
    c.header('x-content-type-options', 'nosniff');
    c.header('x-frame-options', 'DENY');
    // Links carry tokens in their query.
    c.header('referrer-policy', 'no-referrer');
    c.header('cross-origin-opener-policy', 'same-origin');
    c.header('cross-origin-resource-policy', 'same-origin');
    c.header('permissions-policy', 'camera=(), geolocation=(), microphone=()');
    if (isSecure) c.header('strict-transport-security', 'max-age=31536000');
  });
}
