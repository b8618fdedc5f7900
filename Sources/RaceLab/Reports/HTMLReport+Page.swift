extension HTMLReport {
    static let style = """
        :root { --page: #f4f4f0; --text: #1c1e21; --dim: #565d67; --rule: #d5d8dd; --panel: #ffffff; --sheet: #fdfdfb;
          --gone: #b3261e; --come: #1b6e3c; --link: #0b57a4; --alarm: #c62828; }
        @media (prefers-color-scheme: dark) {
          :root { --page: #0f1114; --text: #e8eaed; --dim: #9aa1ab; --rule: #343a43; --panel: #1c2026; --sheet: #16181c;
            --gone: #ff8a80; --come: #8fdba8; --link: #8ab8ff; --alarm: #ff8a80; }
        }
        body { margin: 0 auto; padding: 1rem 1.5rem 16rem; max-width: 1280px; background: var(--page);
          color: var(--text); font: 15px/1.45 system-ui, sans-serif; }
        h1 { font-size: 1.5rem; margin: 0; }
        h1 small { font-weight: 400; font-size: 1rem; color: var(--dim); }
        h2 { font-size: 1.1rem; margin: 1.4rem 0 0; } h3 { font-size: .95rem; margin: 0 0 .2rem; }
        header p, section > p { margin: .3rem 0; max-width: 72ch; } .summary { color: var(--dim); }
        nav ul { padding: 0; margin: .4rem 0; } nav li { display: inline-block; margin-right: 1rem; }
        a { color: var(--link); text-decoration: none; } a:hover { text-decoration: underline; }
        h2.verdict { margin-top: .8rem; } p.verdict { margin: .4rem 0; } .verdict { max-width: 72ch; }
        .verdict a { color: var(--text); } .verdict b { color: var(--alarm); }
        .facts { display: flex; flex-wrap: wrap; gap: .8rem 2.5rem; margin: .6rem 0; align-items: start; }
        .facts > * { flex: 1 1 18rem; max-width: 40rem; min-width: 0; }
        .guilty { list-style: none; margin: 0; padding: 0 0 0 .7rem; border-left: 4px solid var(--alarm); }
        .guilty li { margin: 0 0 .25rem; } .guilty a { color: var(--text); } .guilty small { color: var(--dim); white-space: nowrap; }
        .guilty em { color: var(--alarm); font-style: normal; font-weight: 600; } .gap { color: var(--dim); font-size: .8rem; }
        .end p { margin: .2rem 0 0; overflow-wrap: anywhere; } .end b { white-space: nowrap; }
        .end .agrees { color: var(--come); } .end .differs { color: var(--alarm); white-space: normal; }
        dl { display: grid; grid-template-columns: 7rem 1fr; gap: .1rem .8rem; margin: .1rem 0; }
        dt { color: var(--dim); } dd { margin: 0; grid-column: 2; overflow-wrap: anywhere; }
        :focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
        .scroll { overflow-x: auto; background: var(--sheet); border: 1px solid var(--rule);
          border-radius: 8px; margin: .6rem 0; }
        .scroll svg { display: block; }
        .legend { list-style: none; padding: 0; margin: .4rem 0; color: var(--dim); font-size: .85rem; }
        .legend code { overflow-wrap: anywhere; } .shapes { display: flex; flex-wrap: wrap; gap: .1rem 1.2rem; }
        svg.key { width: 20px; height: 20px; vertical-align: middle; }
        .chip { display: inline-block; min-width: 1.4em; text-align: center; border-radius: .7em; color: #14161a;
          font-style: normal; font-weight: 700; } .chip.none { color: var(--text); }
        table { border-collapse: collapse; font-size: .85rem; } th { text-align: left; }
        td, th { padding: .1rem .8rem .1rem 0; border-bottom: 1px solid var(--rule); }
        .figures td { text-align: right; } figure { margin: 0; }
        .histograms { display: grid; grid-template-columns: repeat(auto-fill, minmax(20rem, 1fr));
          gap: 1rem 2.5rem; margin-top: .8rem; }
        figcaption { font-weight: 600; } figure table { width: 100%; } figure th { font-weight: 400;
          white-space: nowrap; width: 6rem; } figure td { text-align: right; width: 3rem; }
        figure td.bar { width: auto; text-align: left; }
        .bar i { display: block; height: .8em; background: var(--link); border-radius: 2px; }
        pre { font: 12px/1.4 ui-monospace, monospace; overflow-x: auto; margin: .3rem 0; }
        #detail { position: fixed; left: 0; right: 0; bottom: 0; max-height: 14rem; overflow: auto;
          padding: .5rem 1.5rem; background: var(--panel); border-top: 2px solid var(--rule);
          box-shadow: 0 -4px 16px #0003; }
        #detail p { margin: .2rem 0; } #detail[hidden] { display: none; }
        del { color: var(--gone); text-decoration: none; } ins { color: var(--come); text-decoration: none; }
        footer { color: var(--dim); font-size: .85rem; margin-top: 2rem; }
        kbd { border: 1px solid var(--rule); border-radius: 4px; padding: 0 .3em; background: var(--panel); }
        @media (max-width: 40rem) {
          body { padding: .6rem .8rem 15rem; } h1 { font-size: 1.15rem; } h1 small { font-size: .85rem; }
          h2 { font-size: 1rem; } .figures { display: block; overflow-x: auto; } .facts { gap: .8rem; }
          #detail { padding: .5rem .8rem; }
        }
        @media print { #detail, footer { display: none; } }
        """

    /// Shows details for the pointer, and offers the same with the keyboard.
    static let script = """
        'use strict';
        const detail = document.getElementById('detail');
        const sections = [...document.querySelectorAll('section[data-prefix]')];
        const links = [...document.querySelectorAll('.verdict a')];
        const steps = sections.map(one => [...one.querySelectorAll('svg .step')]);
        let at = null, link = -1;
        function show(picture, step) {
          const template = document.getElementById(`p${picture}-d${step}`);
          if (!template) return;
          detail.replaceChildren(template.content.cloneNode(true));
          detail.hidden = false;
        }
        function go(picture, step) {
          const mark = steps[picture] && steps[picture][step];
          if (!mark) return;
          at = {picture, step};
          mark.focus({preventScroll: true});
          const box = sections[picture].querySelector('.scroll');
          const here = mark.getBoundingClientRect(), frame = box.getBoundingClientRect();
          if (here.left < frame.left + 120 || here.right > frame.right - 40)
            box.scrollLeft += here.left - frame.left - frame.width / 2;
          if (here.top < 0 || here.bottom > innerHeight - detail.offsetHeight)
            mark.scrollIntoView({block: 'center', inline: 'nearest'});
          show(picture, step);
        }
        function jump(number) {
          if (!links.length) return;
          link = (number + links.length) % links.length;
          const {picture, last, number: one} = links[link].dataset;
          document.querySelectorAll('.guilt.shown').forEach(old => old.classList.remove('shown'));
          document.getElementById(`p${picture}-a${one}`).classList.add('shown');
          go(+picture, +last);
        }
        const quiet = mark => mark.querySelector('.quiet') !== null;
        function move(by, skips) {
          if (!at) { jump(0); return; }
          let next = at.step + by;
          while (skips && steps[at.picture][next] && quiet(steps[at.picture][next])) next += by;
          go(at.picture, next);
        }
        steps.forEach((marks, picture) => marks.forEach((mark, step) => {
          if (step === 0) mark.setAttribute('tabindex', '0');
          mark.addEventListener('pointerenter', () => show(picture, step));
          mark.addEventListener('click', () => go(picture, step));
          mark.addEventListener('focus', () => {
            // The Tab key returns to the last position.
            marks.forEach(one => one.setAttribute('tabindex', one === mark ? '0' : '-1'));
            at = {picture, step};
            show(picture, step);
          });
        }));
        sections.forEach((section, picture) => section.querySelectorAll('[data-step]').forEach(one =>
          one.addEventListener('click', event => {
            event.preventDefault();
            go(picture, +one.dataset.step);
          })));
        sections.forEach(section => {
          const box = section.querySelector('.scroll'), names = section.querySelector('.names');
          box.addEventListener('scroll', () => names.setAttribute('transform', `translate(${box.scrollLeft} 0)`));
          const guilt = section.querySelector('.guilt rect');
          if (guilt) box.scrollLeft = guilt.x.baseVal.value - 130;
        });
        links.forEach((one, number) => one.addEventListener('click', event => {
          event.preventDefault();
          jump(number);
        }));
        addEventListener('keydown', event => {
          if (event.ctrlKey || event.altKey || event.metaKey) return;
          const keys = {ArrowRight: () => move(1), ArrowLeft: () => move(-1), ArrowDown: () => move(1, true),
            ArrowUp: () => move(-1, true), n: () => jump(link + 1), p: () => jump(link - 1),
            Escape: () => { detail.hidden = true; at = null; }};
          const act = keys[event.key];
          if (!act || (event.key.startsWith('Arrow') && !at)) return;
          event.preventDefault();
          act();
        });
        """
}
