export interface PageFile {
  name: string;
  contentType: string;
  /** Swagger UI's own, or else one of the folder `page`. */
  isSwaggerUi: boolean;
}

const CSS = 'text/css; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

/** What the page loads, all of it from this server. */
export const PAGE_FILES: readonly PageFile[] = [
  { name: 'swagger-ui.css', contentType: CSS, isSwaggerUi: true },
  { name: 'swagger-ui-bundle.js', contentType: SCRIPT, isSwaggerUi: true },
  { name: 'page.css', contentType: CSS, isSwaggerUi: false },
  { name: 'page.js', contentType: SCRIPT, isSwaggerUi: false },
];
