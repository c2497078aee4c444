# needs: node
node "$DATA/work.js"
