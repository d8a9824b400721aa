(() => {
  'use strict';

  // The search: everything that can be found is in the page already.
  const box = document.getElementById('search');
  const found = document.getElementById('found');
  const none = document.getElementById('none');
  const elsewhere = document.getElementById('elsewhere');
  const all = elsewhere ? elsewhere.getAttribute('href') : '';
  const entries = [...document.querySelectorAll('[data-entry]')].map((el) => ({
    el, risk: el.dataset.risk, link: document.querySelector(`[data-link="${CSS.escape(el.id || '-')}"]`),
    text: (el.textContent + ' ' + (el.dataset.words || '')).toLowerCase(),
  }));
  const groups = [...document.querySelectorAll('[data-group]')];
  const buttons = [...document.querySelectorAll('button[data-risk]')];

  const show = () => {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    const risks = buttons.filter((b) => b.getAttribute('aria-pressed') === 'true').map((b) => b.dataset.risk);
    let n = 0;
    for (const e of entries) {
      const hit = (!risks.length || risks.includes(e.risk)) && words.every((w) => e.text.includes(w));
      e.el.hidden = !hit;
      if (e.link) e.link.hidden = !hit;
      n += hit ? 1 : 0;
    }
    for (const g of groups) g.hidden = !g.querySelector('[data-entry]:not([hidden])');
    const filtered = words.length > 0 || risks.length > 0;
    found.textContent = filtered ? `${n} of ${entries.length}` : '';
    none.hidden = n > 0 || !filtered;
    document.body.classList.toggle('filtered', filtered);
    if (elsewhere) {
      elsewhere.hidden = words.length === 0;
      elsewhere.setAttribute('href', words.length ? all + '#q=' + encodeURIComponent(box.value) : all);
    }
  };

  const fromAddress = () => {
    if (!location.hash.startsWith('#q=')) return;
    try { box.value = decodeURIComponent(location.hash.slice(3)); } catch { return; }
    show();
    box.scrollIntoView({ block: 'nearest' });
  };

  if (box && entries.length) {
    box.closest('search').hidden = false;
    box.addEventListener('input', show);
    for (const b of buttons) {
      b.addEventListener('click', () => {
        b.setAttribute('aria-pressed', b.getAttribute('aria-pressed') === 'true' ? 'false' : 'true');
        show();
      });
    }
    document.addEventListener('keydown', (e) => {
      const typing = e.target instanceof HTMLInputElement;
      if (e.key === '/' && !typing && !e.ctrlKey && !e.metaKey && !e.altKey) {
        e.preventDefault();
        box.focus();
        box.select();
      } else if (e.key === 'Escape' && e.target === box) {
        box.value = '';
        show();
      } else if (e.key === 'Enter' && e.target === box) {
        const first = entries.find((x) => !x.el.hidden);
        const link = first && first.el.querySelector('a[href]');
        if (link) link.click();
      }
    });
    addEventListener('hashchange', fromAddress);
    show();
    fromAddress();
  }

  // Calls are there to be copied.
  if (navigator.clipboard) {
    for (const pre of document.querySelectorAll('pre.call')) {
      const button = document.createElement('button');
      button.type = 'button';
      button.className = 'copy';
      button.textContent = 'Copy';
      const item = pre.closest('article');
      if (item) button.setAttribute('aria-label', `Copy the call of ${item.id}`);
      button.addEventListener('click', async () => {
        try {
          await navigator.clipboard.writeText(pre.textContent);
          button.textContent = 'Copied';
        } catch {
          button.textContent = 'Not copied';
        }
        setTimeout(() => { button.textContent = 'Copy'; }, 2000);
      });
      const frame = document.createElement('div');
      frame.className = 'copyable';
      pre.replaceWith(frame);
      frame.append(pre, button);
    }
  }

  // A phone begins with the contents closed, and paper has everything open.
  const contents = document.querySelector('details.contents');
  if (contents && matchMedia('(max-width: 56rem)').matches) contents.open = false;
  let closed = [];
  addEventListener('beforeprint', () => {
    closed = [...document.querySelectorAll('details:not([open])')];
    for (const d of closed) d.open = true;
  });
  addEventListener('afterprint', () => {
    for (const d of closed) d.open = false;
  });
})();
