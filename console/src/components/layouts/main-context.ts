import { createContext } from 'react';

/** True inside the `<main>` of a layout: a page may have only one. */
export const InsideMain = createContext(false);
