import type { OpenExchange } from '../exchange.ts';
import { WebExchange } from './web-exchange.ts';

/** Opens the exchange of a request from `app.fetch`. */
export const openWebExchange: OpenExchange = (request) => new WebExchange(request);
