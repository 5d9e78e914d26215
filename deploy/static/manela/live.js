/* The live part of a page: asks again every few seconds, costs nothing while nothing has changed (304), stops when
   the server says that it is over (286, which htmx knows), and never disturbs who is reading. */
(() => {
  const openPopovers = (part) => [...part.querySelectorAll("[popover]")].filter((one) => one.matches(":popover-open"));
  let reopen = [];
  let scrolled = [];

  document.addEventListener("htmx:configRequest", (event) => {
    const etag = event.target.dataset.etag;
    if (etag) event.detail.headers["If-None-Match"] = etag;
  });

  // A hidden page asks for nothing; the next turn after it is shown again brings it up to date.
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (document.hidden) event.preventDefault();
  });

  document.addEventListener("htmx:beforeSwap", (event) => {
    const { xhr, target } = event.detail;
    if (xhr.status === 304) {
      event.detail.shouldSwap = false;
      return;
    }
    const etag = xhr.getResponseHeader("ETag");
    if (etag) event.detail.requestConfig.elt.dataset.etag = etag;
    reopen = openPopovers(target).map((one) => one.id);
    scrolled = [...target.querySelectorAll("[data-keep-scroll]")].map((box) => [box.id, box.scrollLeft]);
  });

  document.addEventListener("htmx:afterSwap", () => {
    for (const id of reopen) document.getElementById(id)?.showPopover();
    for (const [id, left] of scrolled) {
      const box = document.getElementById(id);
      if (box) box.scrollLeft = left;
    }
    reopen = [];
    scrolled = [];
  });
})();
