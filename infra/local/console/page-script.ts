/**
 * Treats custom widgets as CloudWatch does: invokes their functions, sanitizes the HTML, asks for confirmation, and calls what
 * a click names. Two things differ. The S3 console's upload page is a dialog, and signed links go through this page's server,
 * because no browser trusts the local AWS.
 */
export const pageScript = `
(() => {
  'use strict';
  const { dashboardName, widgets, mostFileBytes, linksBegin } = JSON.parse(document.getElementById('dashboard').textContent);
  const root = document.documentElement;
  const forbidden = 'script,iframe,frame,object,embed,link,meta,base,form,use';

  const offsetISO = () => {
    const minutes = -new Date().getTimezoneOffset();
    const two = (number) => String(Math.floor(number)).padStart(2, '0');
    return (minutes < 0 ? '-' : '+') + two(Math.abs(minutes) / 60) + ':' + two(Math.abs(minutes) % 60);
  };

  const cleaned = (html) => {
    const { body, head } = new DOMParser().parseFromString(html, 'text/html');
    for (const style of head.querySelectorAll('style')) body.prepend(style);
    for (const element of body.querySelectorAll(forbidden)) element.remove();
    for (const element of body.querySelectorAll('*')) {
      for (const { name, value } of [...element.attributes]) {
        if (/^on/i.test(name) || /^\\s*javascript:/i.test(value)) element.removeAttribute(name);
      }
    }
    for (const link of body.querySelectorAll('a[href]')) {
      const address = link.getAttribute('href');
      if (address.startsWith(linksBegin + '/')) {
        link.setAttribute('href', '/download?of=' + encodeURIComponent(address.slice(linksBegin.length)));
      }
    }
    return [...body.childNodes];
  };

  const isUploadPage = (link) => /^https:\\/\\/[\\w-]+\\.console\\.aws\\.amazon\\.com\\/s3\\/upload\\//.test(link.href);

  const askForFile = (done) => {
    const dialog = document.getElementById('upload');
    const field = dialog.querySelector('input');
    const failure = dialog.querySelector('.failed');
    const send = document.getElementById('send');
    field.value = '';
    failure.textContent = '';
    send.onclick = async () => {
      const [file] = field.files;
      if (file === undefined) return void (failure.textContent = 'Choose a file first.');
      if (file.size > mostFileBytes) return void (failure.textContent = 'This file is too large to be a payout file.');
      send.disabled = true;
      try {
        const response = await fetch('/upload?name=' + encodeURIComponent(file.name), {
          method: 'POST',
          headers: { 'content-type': 'application/octet-stream' },
          body: file,
        });
        const { problem } = await response.json();
        failure.textContent = problem ?? '';
        if (problem !== undefined) return;
        dialog.close();
        done();
      } catch {
        failure.textContent = 'The file could not be uploaded. Has the local AWS stopped?';
      } finally {
        send.disabled = false;
      }
    };
    dialog.showModal();
  };

  const failed = (text) => Object.assign(document.createElement('p'), { className: 'failed', textContent: text });

  const ask = (message) => new Promise((resolve) => {
    const dialog = document.getElementById('confirm');
    dialog.querySelector('p').textContent = message;
    dialog.returnValue = '';
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'yes'), { once: true });
    dialog.showModal();
  });

  const fieldsOf = (place) => Object.fromEntries(
    [...place.querySelectorAll('input[name],select[name],textarea[name]')].map((field) => [field.name, field.value]),
  );

  const start = (widget) => {
    const section = document.getElementById(widget.widgetId);
    const place = section.querySelector('div');
    let shown = { endpoint: widget.endpoint, params: widget.params };

    const invoke = async ({ endpoint, params }) => {
      const widgetContext = {
        dashboardName,
        widgetId: widget.widgetId,
        accountId: '000000000000',
        locale: 'en',
        timezone: { label: 'Local', offsetISO: offsetISO(), offsetInMinutes: new Date().getTimezoneOffset() },
        theme: root.dataset.theme,
        title: widget.title,
        params: widget.params,
        forms: { all: fieldsOf(place) },
        width: Math.max(1, Math.round(place.clientWidth)),
        height: widget.height * 50,
      };
      const response = await fetch('/invoke', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ endpoint, event: { ...params, widgetContext } }),
      });
      const { html, problem } = await response.json();
      return html === undefined ? [failed(problem ?? 'The local AWS did not answer.')] : cleaned(html);
    };

    const draw = (target, nodes) => {
      target.replaceChildren(...nodes);
      for (const action of target.querySelectorAll('cwdb-action')) {
        const element = action.previousElementSibling;
        element?.addEventListener(action.getAttribute('event') ?? 'click', () => void perform(action));
      }
      for (const link of [...target.querySelectorAll('a[href]')].filter(isUploadPage)) {
        link.addEventListener('click', (event) => {
          event.preventDefault();
          askForFile(refresh);
        });
      }
    };

    const call = async (what, isPopup) => {
      section.setAttribute('aria-busy', 'true');
      try {
        const nodes = await invoke(what);
        if (isPopup) {
          const popup = document.getElementById('popup');
          draw(popup.querySelector('div'), nodes);
          if (!popup.open) popup.showModal();
          return;
        }
        document.getElementById('popup').close();
        draw(place, nodes);
        if (what.endpoint === widget.endpoint) shown = what;
      } catch {
        place.replaceChildren(failed('The console does not answer. Has the local AWS stopped?'));
      } finally {
        section.removeAttribute('aria-busy');
      }
    };

    const perform = async (action) => {
      const confirmation = action.getAttribute('confirmation');
      if (confirmation !== null && !(await ask(confirmation))) return;
      const isPopup = action.getAttribute('display') === 'popup';
      if (action.getAttribute('action') !== 'call') return;
      const text = action.textContent.trim();
      await call({ endpoint: action.getAttribute('endpoint'), params: text === '' ? {} : JSON.parse(text) }, isPopup);
    };

    const refresh = () => call(shown, false);
    refresh();
    return refresh;
  };

  const chosen = new URLSearchParams(location.search).get('theme');
  const isDark = chosen === null ? matchMedia('(prefers-color-scheme: dark)').matches : chosen === 'dark';
  root.dataset.theme = isDark ? 'dark' : 'light';
  const refreshes = widgets.map(start);
  const refreshAll = () => Promise.all(refreshes.map((refresh) => refresh()));
  document.getElementById('refresh').addEventListener('click', refreshAll);
  document.getElementById('theme').addEventListener('click', () => {
    root.dataset.theme = root.dataset.theme === 'dark' ? 'light' : 'dark';
    refreshAll();
  });
  for (const button of document.querySelectorAll('dialog menu button[value]')) {
    button.addEventListener('click', () => button.closest('dialog').close(button.value));
  }
})();
`;
