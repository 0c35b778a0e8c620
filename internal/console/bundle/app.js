/* Generated from 98ba25406f4b4782b91f6443b04cd3e238b6627f798051815d99953b040fcd1f; see licenses.txt. */
var Xo,nt,cc,$h,xa,rc,uc,pc,fi,Jo,co,hc,gi,mi,$i,gh,Vo={},Yo=[],bh=/acit|ex(?:s|g|n|p|$)|rph|grid|ows|mnc|ntw|ine[ch]|zoo|^ord|itera/i,Qo=Array.isArray;function na(e,t){
for(var n in t)e[n]=t[n];return e}function bi(e){e&&e.parentNode&&e.parentNode.removeChild(e)}function vi(e,t,n){var s,o,r,i={};for(r in t)r=="key"?s=t[r]:r=="r\
ef"?o=t[r]:i[r]=t[r];if(arguments.length>2&&(i.children=arguments.length>3?Xo.call(arguments,2):n),typeof e=="function"&&e.defaultProps!=null)for(r in e.defaultProps)
i[r]===void 0&&(i[r]=e.defaultProps[r]);return Go(e,i,s,o,null)}function Go(e,t,n,s,o){var r={type:e,props:t,key:n,ref:s,__k:null,__:null,__b:0,__e:null,__c:null,
constructor:void 0,__v:o??++cc,__i:-1,__u:0};return o==null&&nt.vnode!=null&&nt.vnode(r),r}function er(e){return e.children}function Ko(e,t){this.props=e,this.context=t}function Ga(e,t){if(t==null)return e.__?Ga(e.__,e.__i+1):null;for(var n;t<e.__k.length;t++)
if((n=e.__k[t])!=null&&n.__e!=null)return n.__e;return typeof e.type=="function"?Ga(e):null}function vh(e){if(e.__P&&e.__d){var t=e.__v,n=t.__e,s=[],o=[],r=na({},
t);r.__v=t.__v+1,nt.vnode&&nt.vnode(r),wi(e.__P,r,t,e.__n,e.__P.namespaceURI,32&t.__u?[n]:null,s,n??Ga(t),!!(32&t.__u),o),r.__v=t.__v,r.__.__k[r.__i]=r,bc(s,r,o),
t.__e=t.__=null,r.__e!=n&&fc(r)}}function fc(e){if((e=e.__)!=null&&e.__c!=null)return e.__e=e.__c.base=null,e.__k.some(function(t){if(t!=null&&t.__e!=null)return e.
__e=e.__c.base=t.__e}),fc(e)}function ic(e){(!e.__d&&(e.__d=!0)&&xa.push(e)&&!Zo.__r++||rc!=nt.debounceRendering)&&((rc=nt.debounceRendering)||uc)(Zo)}function Zo(){
try{for(var e,t=1;xa.length;)xa.length>t&&xa.sort(pc),e=xa.shift(),t=xa.length,vh(e)}finally{xa.length=Zo.__r=0}}function mc(e,t,n,s,o,r,i,c,g,m,T){var E,w,j,U,
Q,re,we=s&&s.__k||Yo,ie=t.length;for(g=wh(n,t,we,g,ie),E=0;E<ie;E++)(j=n.__k[E])!=null&&(w=j.__i!=-1&&we[j.__i]||Vo,j.__i=E,re=wi(e,j,w,o,r,i,c,g,m,T),U=j.__e,j.
ref&&w.ref!=j.ref&&(w.ref&&xi(w.ref,null,j),T.push(j.ref,j.__c||U,j)),Q==null&&U!=null&&(Q=U),4&j.__u?(g=$c(j,g,e),w.__e&&(w.__e=null)):typeof j.type=="function"&&
re!==void 0?g=re:U&&(g=U.nextSibling),j.__u&=-7);return n.__e=Q,g}function wh(e,t,n,s,o){var r,i,c,g,m,T=n.length,E=T,w=0;for(e.__k=new Array(o),r=0;r<o;r++)(i=
t[r])!=null&&typeof i!="boolean"&&typeof i!="function"?(typeof i=="string"||typeof i=="number"||typeof i=="bigint"||i.constructor==String?i=e.__k[r]=Go(null,i,null,
null,null):Qo(i)?i=e.__k[r]=Go(er,{children:i},null,null,null):i.constructor===void 0&&i.__b>0?i=e.__k[r]=Go(i.type,i.props,i.key,i.ref?i.ref:null,i.__v):e.__k[r]=
i,g=r+w,i.__=e,i.__b=e.__b+1,c=null,(m=i.__i=xh(i,n,g,E))!=-1&&(E--,(c=n[m])&&(c.__u|=2)),c==null||c.__v==null?(m==-1&&(o>T?w--:o<T&&w++),typeof i.type!="functi\
on"&&(i.__u|=4)):m!=g&&(m==g-1?w--:m==g+1?w++:(m>g?w--:w++,i.__u|=4))):e.__k[r]=null;if(E)for(r=0;r<T;r++)(c=n[r])!=null&&(2&c.__u)==0&&(c.__e==s&&(s=Ga(c)),wc(
c,c));return s}function $c(e,t,n){var s,o;if(typeof e.type=="function"){for(s=e.__k,o=0;s&&o<s.length;o++)s[o]&&(s[o].__=e,t=$c(s[o],t,n));return t}e.__e!=t&&(t&&
e.type&&!t.parentNode&&(t=Ga(e)),t=n.insertBefore(e.__e,t||null));do t=t&&t.nextSibling;while(t!=null&&t.nodeType==8);return t}function xh(e,t,n,s){var o,r,i,c=e.key,g=e.type,m=t[n],T=m!=null&&(2&m.__u)==0;if(m===null&&c==null||T&&c==m.key&&g==m.type)return n;if(s>(T?1:0)){for(o=n-1,r=n+
1;o>=0||r<t.length;)if((m=t[i=o>=0?o--:r++])!=null&&(2&m.__u)==0&&c==m.key&&g==m.type)return i}return-1}function lc(e,t,n){t[0]=="-"?e.setProperty(t,n??""):e[t]=
n==null?"":typeof n!="number"||bh.test(t)?n:n+"px"}function Bo(e,t,n,s,o){var r,i;e:if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof s=="str\
ing"&&(e.style.cssText=s=""),s)for(t in s)n&&t in n||lc(e.style,t,"");if(n)for(t in n)s&&n[t]==s[t]||lc(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")r=t!=(t=t.replace(
hc,"$1")),i=t.toLowerCase(),t=i in e||t=="onFocusOut"||t=="onFocusIn"?i.slice(2):t.slice(2),e.l||(e.l={}),e.l[t+r]=n,n?s?n[co]=s[co]:(n[co]=gi,e.addEventListener(
t,r?$i:mi,r)):e.removeEventListener(t,r?$i:mi,r);else{if(o=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&
t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{e[t]=n??"";break e}catch{}
typeof n=="function"||(n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n))}}function dc(e){return function(t){if(this.l){
var n=this.l[t.type+e];if(t[Jo]==null)t[Jo]=gi++;else if(t[Jo]<n[co])return;return n(nt.event?nt.event(t):t)}}}function wi(e,t,n,s,o,r,i,c,g,m){var T,E,w,j,U,Q,
re,we,ie,Ye,an,ht,de,$e,Wt,ft,Kt=t.type;if(t.constructor!==void 0)return null;128&n.__u&&(g=!!(32&n.__u),r=[c=t.__e=n.__e]),(T=nt.__b)&&T(t);e:if(typeof Kt=="fu\
nction"){E=i.length;try{if(ie=t.props,Ye=Kt.prototype&&Kt.prototype.render,an=(T=Kt.contextType)&&s[T.__c],ht=T?an?an.props.value:T.__:s,n.__c?we=(w=t.__c=n.__c).
__=w.__E:(Ye?t.__c=w=new Kt(ie,ht):(t.__c=w=new Ko(ie,ht),w.constructor=Kt,w.render=kh),an&&an.sub(w),w.state||(w.state={}),w.__n=s,j=w.__d=!0,w.__h=[],w._sb=[]),
Ye&&w.__s==null&&(w.__s=w.state),Ye&&Kt.getDerivedStateFromProps!=null&&(w.__s==w.state&&(w.__s=na({},w.__s)),na(w.__s,Kt.getDerivedStateFromProps(ie,w.__s))),U=
w.props,Q=w.state,w.__v=t,j)Ye&&Kt.getDerivedStateFromProps==null&&w.componentWillMount!=null&&w.componentWillMount(),Ye&&w.componentDidMount!=null&&w.__h.push(
w.componentDidMount);else{if(Ye&&Kt.getDerivedStateFromProps==null&&ie!==U&&w.componentWillReceiveProps!=null&&w.componentWillReceiveProps(ie,ht),t.__v==n.__v||
!w.__e&&w.shouldComponentUpdate!=null&&w.shouldComponentUpdate(ie,w.__s,ht)===!1){t.__v!=n.__v&&(w.props=ie,w.state=w.__s,w.__d=!1),t.__e=n.__e,t.__k=n.__k,t.__k.
some(function(Pe){Pe&&(Pe.__=t)}),Yo.push.apply(w.__h,w._sb),w._sb=[],w.__h.length&&i.push(w),c=Ga(n);break e}w.componentWillUpdate!=null&&w.componentWillUpdate(
ie,w.__s,ht),Ye&&w.componentDidUpdate!=null&&w.__h.push(function(){w.componentDidUpdate(U,Q,re)})}if(w.context=ht,w.props=ie,w.__P=e,w.__e=!1,de=nt.__r,$e=0,Ye)
w.state=w.__s,w.__d=!1,de&&de(t),T=w.render(w.props,w.state,w.context),Yo.push.apply(w.__h,w._sb),w._sb=[];else do w.__d=!1,de&&de(t),T=w.render(w.props,w.state,
w.context),w.state=w.__s;while(w.__d&&++$e<25);w.state=w.__s,w.getChildContext!=null&&(s=na(na({},s),w.getChildContext())),Ye&&!j&&w.getSnapshotBeforeUpdate!=null&&
(re=w.getSnapshotBeforeUpdate(U,Q)),Wt=T!=null&&T.type===er&&T.key==null?vc(T.props.children):T,c=mc(e,Qo(Wt)?Wt:[Wt],t,n,s,o,r,i,c,g,m),w.base=t.__e,t.__u&=-161,
w.__h.length&&i.push(w),we&&(w.__E=w.__=null)}catch(Pe){if(i.length=E,t.__v=null,g||r!=null){if(Pe.then){for(t.__u|=g?160:128;c&&c.nodeType==8&&c.nextSibling;)c=
c.nextSibling;r!=null&&(r[r.indexOf(c)]=null),t.__e=c}else if(r!=null)for(ft=r.length;ft--;)bi(r[ft])}else t.__e=n.__e;t.__k==null&&(t.__k=n.__k||[]),Pe.then||gc(
t),nt.__e(Pe,t,n)}}else r==null&&t.__v==n.__v?(t.__k=n.__k,t.__e=n.__e):c=t.__e=yh(n.__e,t,n,s,o,r,i,g,m);return(T=nt.diffed)&&T(t),128&t.__u?void 0:c}function gc(e){
e&&(e.__c&&(e.__c.__e=!0),e.__k&&e.__k.some(gc))}function bc(e,t,n){for(var s=0;s<n.length;s++)xi(n[s],n[++s],n[++s]);nt.__c&&nt.__c(t,e),e.some(function(o){try{
e=o.__h,o.__h=[],e.some(function(r){r.call(o)})}catch(r){nt.__e(r,o.__v)}})}function vc(e){return typeof e!="object"||e==null||e.__b>0?e:Qo(e)?e.map(vc):e.constructor!==
void 0?null:na({},e)}function yh(e,t,n,s,o,r,i,c,g){var m,T,E,w,j,U,Q,re=n.props||Vo,we=t.props,ie=t.type;if(ie=="svg"?o="http://www.w3.org/2000/svg":ie=="math"?
o="http://www.w3.org/1998/Math/MathML":o||(o="http://www.w3.org/1999/xhtml"),r!=null){for(m=0;m<r.length;m++)if((j=r[m])&&"setAttribute"in j==!!ie&&(ie?j.localName==
ie:j.nodeType==3)){e=j,r[m]=null;break}}if(e==null){if(ie==null)return document.createTextNode(we);e=document.createElementNS(o,ie,we.is&&we),c&&(nt.__m&&nt.__m(
t,r),c=!1),r=null}if(ie==null)re===we||c&&e.data==we||(e.data=we);else{if(r=ie=="textarea"&&we.defaultValue!=null?null:r&&Xo.call(e.childNodes),!c&&r!=null)for(re=
{},m=0;m<e.attributes.length;m++)re[(j=e.attributes[m]).name]=j.value;for(m in re)j=re[m],m=="dangerouslySetInnerHTML"?E=j:m=="children"||m in we||m=="value"&&"\
defaultValue"in we||m=="checked"&&"defaultChecked"in we||Bo(e,m,null,j,o);for(m in we)j=we[m],m=="children"?w=j:m=="dangerouslySetInnerHTML"?T=j:m=="value"?U=j:
m=="checked"?Q=j:c&&typeof j!="function"||re[m]===j||Bo(e,m,j,re[m],o);if(T)c||E&&(T.__html==E.__html||T.__html==e.innerHTML)||(e.innerHTML=T.__html),t.__k=[];else if(E&&
(e.innerHTML=""),mc(t.type=="template"?e.content:e,Qo(w)?w:[w],t,n,s,ie=="foreignObject"?"http://www.w3.org/1999/xhtml":o,r,i,r?r[0]:n.__k&&Ga(n,0),c,g),r!=null)
for(m=r.length;m--;)bi(r[m]);c&&ie!="textarea"||(m="value",ie=="progress"&&U==null?e.removeAttribute("value"):U!=null&&(U!==e[m]||ie=="progress"&&!U||ie=="optio\
n"&&U!=re[m])&&Bo(e,m,U,re[m],o),m="checked",Q!=null&&Q!=e[m]&&Bo(e,m,Q,re[m],o))}return e}function xi(e,t,n){try{if(typeof e=="function"){var s=typeof e.__u=="\
function";s&&e.__u(),s&&t==null||(e.__u=e(t))}else e.current=t}catch(o){nt.__e(o,n)}}function wc(e,t,n){var s,o;if(nt.unmount&&nt.unmount(e),(s=e.ref)&&(s.current&&
s.current!=e.__e||xi(s,null,t)),(s=e.__c)!=null){if(s.componentWillUnmount)try{s.componentWillUnmount()}catch(r){nt.__e(r,t)}s.base=s.__P=s.__n=null}if(s=e.__k)
for(o=0;o<s.length;o++)s[o]&&wc(s[o],t,n||typeof e.type!="function");n||bi(e.__e),e.__c=e.__=e.__e=void 0}function kh(e,t,n){return this.constructor(e,n)}function yi(e,t,n){
var s,o,r,i;t==document&&(t=document.documentElement),nt.__&&nt.__(e,t),o=(s=typeof n=="function")?null:n&&n.__k||t.__k,r=[],i=[],wi(t,e=(!s&&n||t).__k=vi(er,null,
[e]),o||Vo,Vo,t.namespaceURI,!s&&n?[n]:o?null:t.firstChild?Xo.call(t.childNodes):null,r,!s&&n?n:o?o.__e:t.firstChild,s,i),bc(r,e,i),e.props.children=null}Xo=Yo.slice,nt={__e:function(e,t,n,s){for(var o,r,i;t=t.__;)if((o=t.__c)&&!o.__)try{if((r=o.constructor)&&r.getDerivedStateFromError!=null&&(o.setState(r.getDerivedStateFromError(
e)),i=o.__d),o.componentDidCatch!=null&&(o.componentDidCatch(e,s||{}),i=o.__d),i)return o.__E=o}catch(c){e=c}throw e}},cc=0,$h=function(e){return e!=null&&e.constructor===
void 0},Ko.prototype.setState=function(e,t){var n;n=this.__s!=null&&this.__s!=this.state?this.__s:this.__s=na({},this.state),typeof e=="function"&&(e=e(na({},n),
this.props)),e&&na(n,e),e!=null&&this.__v&&(t&&this._sb.push(t),ic(this))},Ko.prototype.forceUpdate=function(e){this.__v&&(this.__e=!0,e&&this.__h.push(e),ic(this))},
Ko.prototype.render=er,xa=[],uc=typeof Promise=="function"?Promise.prototype.then.bind(Promise.resolve()):setTimeout,pc=function(e,t){return e.__v.__b-t.__v.__b},
Zo.__r=0,fi=Math.random().toString(8),Jo="__d"+fi,co="__a"+fi,hc=/(PointerCapture)$|Capture$/i,gi=0,mi=dc(!1),$i=dc(!0),gh=0;var yc=function(e,t,n,s){var o;t[0]=0;for(var r=1;r<t.length;r++){var i=t[r++],c=t[r]?(t[0]|=i?1:2,n[t[r++]]):t[++r];i===3?s[0]=c:i===4?s[1]=Object.assign(s[1]||
{},c):i===5?(s[1]=s[1]||{})[t[++r]]=c:i===6?s[1][t[++r]]+=c+"":i?(o=e.apply(c,yc(e,c,n,["",null])),s.push(o),c[0]?t[0]|=2:(t[r-2]=0,t[r]=o)):s.push(c)}return s},
xc=new Map;function kc(e){var t=xc.get(this);return t||(t=new Map,xc.set(this,t)),(t=yc(this,t.get(e)||(t.set(e,t=(function(n){for(var s,o,r=1,i="",c="",g=[0],m=function(w){
r===1&&(w||(i=i.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?g.push(0,w,i):r===3&&(w||i)?(g.push(3,w,i),r=2):r===2&&i==="..."&&w?g.push(4,w,0):r===2&&i&&!w?g.push(5,0,!0,
i):r>=5&&((i||!w&&r===5)&&(g.push(r,0,i,o),r=6),w&&(g.push(r,w,0,o),r=6)),i=""},T=0;T<n.length;T++){T&&(r===1&&m(),m(T));for(var E=0;E<n[T].length;E++)s=n[T][E],
r===1?s==="<"?(m(),g=[g],r=3):i+=s:r===4?i==="--"&&s===">"?(r=1,i=""):i=s+i[0]:c?s===c?c="":i+=s:s==='"'||s==="'"?c=s:s===">"?(m(),r=1):r&&(s==="="?(r=5,o=i,i=""):
s==="/"&&(r<5||n[T][E+1]===">")?(m(),r===3&&(g=g[0]),r=g,(g=g[0]).push(2,0,r),r=0):s===" "||s==="	"||s===`
`||s==="\r"?(m(),r=2):i+=s),r===3&&i==="!--"&&(r=4,g=g[0])}return m(),g})(e)),t),arguments,[])).length>1?t:t[0]}var uo,wt,ki,_c,nr=0,Mc=[],Ct=nt,Cc=Ct.__b,jc=Ct.__r,Sc=Ct.diffed,Tc=Ct.__c,Dc=Ct.unmount,Rc=Ct.__;function Ci(e,t){Ct.__h&&Ct.__h(wt,e,nr||t),nr=0;var n=wt.__H||
(wt.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function I(e){return nr=1,_h(Oc,e)}function _h(e,t,n){var s=Ci(uo++,2);if(s.t=e,!s.__c&&(s.
__=[n?n(t):Oc(void 0,t),function(c){var g=s.__N?s.__N[0]:s.__[0],m=s.t(g,c);g!==m&&(s.__N=[m,s.__[1]],s.__c.setState({}))}],s.__c=wt,!wt.__f)){var o=function(c,g,m){
if(!s.__c.__H)return!0;var T=!1,E=s.__c.props!==c;if(s.__c.__H.__.some(function(j){if(j.__N){T=!0;var U=j.__[0];j.__=j.__N,j.__N=void 0,U!==j.__[0]&&(E=!0)}}),r){
var w=r.call(this,c,g,m);return T?w||E:w}return!T||E};wt.__f=!0;var r=wt.shouldComponentUpdate,i=wt.componentWillUpdate;wt.componentWillUpdate=function(c,g,m){if(this.
__e){var T=r;r=void 0,o(c,g,m),r=T}i&&i.call(this,c,g,m)},wt.shouldComponentUpdate=o}return s.__N||s.__}function ke(e,t){var n=Ci(uo++,3);!Ct.__s&&Ec(n.__H,t)&&
(n.__=e,n.u=t,wt.__H.__h.push(n))}function At(e){return nr=5,en(function(){return{current:e}},[])}function en(e,t){var n=Ci(uo++,7);return Ec(n.__H,t)&&(n.__=e(),n.__H=t,n.__h=e),n.__}function Ch(){for(var e;e=Mc.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(tr),t.__h.some(_i),t.__h=[]}catch(n){t.__h=[],Ct.__e(n,e.__v)}}}Ct.__b=function(e){
wt=null,Cc&&Cc(e)},Ct.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),Rc&&Rc(e,t)},Ct.__r=function(e){jc&&jc(e),uo=0;var t=(wt=e.__c).__H;t&&(ki===wt?(t.
__h=[],wt.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})):(t.__h.some(tr),t.__h.some(_i),t.__h=[],uo=0)),ki=wt},Ct.diffed=function(e){Sc&&Sc(
e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&(Mc.push(t)!==1&&_c===Ct.requestAnimationFrame||((_c=Ct.requestAnimationFrame)||jh)(Ch)),t.__H.__.some(function(n){n.
u&&(n.__H=n.u,n.u=void 0)})),ki=wt=null},Ct.__c=function(e,t){t.some(function(n){try{n.__h.some(tr),n.__h=n.__h.filter(function(s){return!s.__||_i(s)})}catch(s){
t.some(function(o){o.__h&&(o.__h=[])}),t=[],Ct.__e(s,n.__v)}}),Tc&&Tc(e,t)},Ct.unmount=function(e){Dc&&Dc(e);var t,n=e.__c;n&&n.__H&&(n.__H.__.some(function(s){
try{tr(s)}catch(o){t=o}}),n.__H=void 0,t&&Ct.__e(t,n.__v))};var Ac=typeof requestAnimationFrame=="function";function jh(e){var t,n=function(){clearTimeout(s),Ac&&
cancelAnimationFrame(t),setTimeout(e)},s=setTimeout(n,35);Ac&&(t=requestAnimationFrame(n))}function tr(e){var t=wt,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),
wt=t}function _i(e){var t=wt;e.__c=e.__(),wt=t}function Ec(e,t){return!e||e.length!==t.length||t.some(function(n,s){return n!==e[s]})}function Oc(e,t){return typeof t==
"function"?t(e):t}var a=kc.bind(vi);var ya=!1;try{ya=localStorage.getItem("zone")==="utc"}catch{}var Dn=()=>ya;function Cs(e){ya=e;try{localStorage.setItem("zone",e?"utc":"local")}catch{}window.dispatchEvent(
new Event("zone"))}var Ic=0,ut=()=>Date.now()+Ic;function Pc(e){Ic=Math.abs(e-Date.now())<5e3?0:e-Date.now()}var ji=new Map,js=e=>{let t=ya?"UTC":void 0;return ji.
has(ya)||ji.set(ya,new Intl.DateTimeFormat("en-GB",{timeZone:t,year:"numeric",month:"2-digit",day:"2-digit",hour:"2-digit",minute:"2-digit",second:"2-digit",hourCycle:"\
h23",timeZoneName:"short"})),Object.fromEntries(ji.get(ya).formatToParts(new Date(e)).map(n=>[n.type,n.value]))},Ss=(e=ut())=>js(e).timeZoneName,zn=e=>{let t=js(
e);return`${t.year}-${t.month}-${t.day}`},cn=e=>{let t=js(e);return`${t.hour}:${t.minute}:${t.second} ${t.timeZoneName}`},zt=e=>`${zn(e)} ${cn(e)}`,Sh=["Jan","F\
eb","Mar","Apr","May","Jun","Jul","Aug","Sep","Oct","Nov","Dec"],Si=e=>{let t=js(e);return`${Number(t.day)} ${Sh[t.month-1]}`},Lc=e=>{let t=js(e);return`${zn(e)===
zn(ut())?"":Si(e)+" "}${t.hour}:${t.minute} ${t.timeZoneName}`},Ti=e=>`${Si(e)} ${cn(e)}`;function Di(e,t=0){let[n,s,o]=e.split("-").map(Number);return(ya?new Date(
Date.UTC(n,s-1,o+t)):new Date(n,s-1,o+t)).toISOString()}function zc(e,t){let n="";return e.map(s=>{let o=js(s*1e3),r=Si(s*1e3),i=t>=86400?"":t>=60?`${o.hour}:${o.
minute}`:`${o.hour}:${o.minute}:${o.second}`;if(!i)return r;let c=r===n?i:`${i}
${r}`;return n=r,c})}var Ne={user:"",role:"",csrf:"",ways:[],absent:""},Fc={viewer:1,operator:2,admin:3},Je=e=>(Fc[Ne.role]??0)>=Fc[e],Ei=()=>{},Wc=e=>{Ei=e};async function qc(e,t,n){
let s={Accept:"application/json"};e!=="GET"&&(s["Content-Type"]="application/json",s["X-CSRF-Token"]=Ne.csrf);let o;try{o=await fetch(t,{method:e,headers:s,body:n===
void 0?void 0:JSON.stringify(n)})}catch{throw Object.assign(new Error("usher does not respond. The page retries automatically."),{lost:!0})}let r=await o.json().
catch(()=>({}));if(o.status===401&&!t.startsWith("/api/login")&&Ei(),!o.ok)throw Object.assign(new Error(r.error||`the server answered with status ${o.status}`),
{lost:o.status===503,gone:o.status===404,refused:o.status>=400&&o.status<500});return r}var sa=e=>qc("GET",e),Ie=(e,t={})=>qc("POST",e,t);async function Ts(){let e=await sa(
"/api/session");return(e.absent!=="unread"||!Ne.user)&&Object.assign(Ne,{user:"",role:"",csrf:"",absent:""},e),Ne}function Se(e){let t=new URLSearchParams;for(let[
s,o]of Object.entries(e))o!=null&&o!==""&&o!==!1&&t.set(s,o);let n=t.toString();return n&&"?"+n}var Bn=null,Nc=!1;function Ri(e){for(let t of ka.values())(e.includes(
"*")||e.some(n=>t.topics.has(n)))&&t.changed(e.includes("letters")&&t.topics.has("letters"))}var aa={state:null,at:Date.now()},Th=3500,ar=()=>({state:aa.state,heard:aa.
at,cut:Date.now()-aa.at>Th});function Ai(){Bn||document.hidden||!Ne.user||(aa.at=Date.now(),Bn=new EventSource("/api/live"),Nc&&(Bn.onopen=()=>Ri(["*"])),Nc=!0,
Bn.onmessage=e=>Ri(e.data.split(",")),Bn.addEventListener("health",e=>{let t=s=>(s?.services??[]).filter(o=>o.since).map(o=>o.name).join(),n=aa.state;Object.assign(
aa,{state:JSON.parse(e.data),at:Date.now()}),aa.state.at.startsWith("0001")||Pc(Date.parse(aa.state.at)),n&&t(n)!==t(aa.state)&&Ri(["*"])}),Bn.onerror=()=>{Bn?.
readyState===EventSource.CLOSED&&(Bn=null,setTimeout(async()=>{await Ts().then(e=>e.user||e.absent==="unread",()=>!0)?Ai():Ei()},2e3))})}function po(){Bn?.close(),
Bn=null}function Oi(){document.addEventListener("visibilitychange",()=>document.hidden?po():Ai()),window.addEventListener("pagehide",po),Ai()}var ka=new Map,Dh=1500,
Rh=500,Mi=class{state={data:null,error:"",lost:!1};topics=new Set;drawn=new Set;busy=!1;again=!1;sent=0;timer=0;constructor(t){this.path=t,this.load()}async load(){
if(this.busy){this.again=!0;return}this.busy=!0,this.again=!1,clearTimeout(this.timer),this.sent=Date.now();try{this.state={data:await sa(this.path),error:"",lost:!1}}catch(t){
this.state={data:t.gone?null:this.state.data,error:t.message,lost:t.lost,refused:t.refused}}this.busy=!1;for(let t of this.drawn)t();this.again&&this.changed()}changed(t=!1){
if(this.busy){this.again=!0;return}clearTimeout(this.timer),this.timer=setTimeout(()=>ka.get(this.path)===this&&this.load(),Math.max(0,this.sent+(t?Rh:Dh)-Date.
now()))}};function me(e,t=[]){let[,n]=I(0),s=At(null),o=e?ka.get(e)??new Mi(e):null;o&&(ka.set(e,o),t.forEach(m=>o.topics.add(m))),ke(()=>{if(!o)return;let m=()=>n(
T=>T+1);return o.drawn.add(m),ka.has(e)||(ka.set(e,o),o.changed()),(o.state.data||o.state.error)&&m(),()=>{o.drawn.delete(m),o.drawn.size===0&&ka.get(e)===o&&ka.
delete(e)}},[o]);let{data:r,error:i,lost:c,refused:g}=o?.state??{data:null,error:"",lost:!1};return r&&(s.current=r),{data:r,stale:s.current,error:i,lost:c,refused:g,
reload:()=>o?.load()}}var Ii=new Intl.NumberFormat("en",{maximumFractionDigits:0}),Ah=new Intl.NumberFormat("en",{notation:"compact",maximumFractionDigits:1}),Hc=new Intl.NumberFormat(
"en",{maximumFractionDigits:2}),Mh=new Intl.NumberFormat("en",{maximumSignificantDigits:4}),C=e=>Ii.format(e??0),sr=e=>Hc.format(e??0),or=e=>Object.entries(e).map(
([t,n])=>`${sr(n)} ${t}`.trim()).join(", ")||"nothing",Jn=e=>e<1e4?Ii.format(e):Ah.format(e),un=e=>Number.isInteger(e)?Ii.format(e):Math.abs(e)>=100?Hc.format(e):
Mh.format(e),z=(e,t,n=t+"s")=>`${C(e)} ${e===1?t:n}`;function Ds(e){let t=["B","kB","MB","GB","TB"],n=0;for(;e>=1e3&&n<t.length-1;n++)e/=1e3;return`${e<10&&n>0?
e.toFixed(1):Math.round(e)} ${t[n]}`}function pn(e){return e=Math.max(0,e),e<1?`${Math.round(e*1e3)} ms`:e<10?`${e.toFixed(1)} s`:e<60?`${Math.floor(e)} s`:e<3600?
`${Math.floor(e/60)} min ${Math.floor(e%60)} s`:e<86400?`${Math.floor(e/3600)} h ${Math.floor(e%3600/60)} min`:`${Math.floor(e/86400)} d ${Math.floor(e%86400/3600)}\
 h`}function ho(e,t=ut()){let n=(t-new Date(e).getTime())/1e3,s=Math.abs(n),o;if(s<5)return"just now";if(s<60)o=`${Math.floor(s)} s`;else if(s<3600)o=`${Math.floor(
s/60)} min`;else if(s<86400)o=`${Math.floor(s/3600)} h`;else if(s<86400*60)o=z(Math.floor(s/86400),"day");else return zn(e);return n<0?`in ${o}`:`${o} ago`}var Gn=e=>a`<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${e}</svg>`,
wn={overview:Gn(a`<path d="M4 13h6V4H4zM14 20h6v-9h-6zM4 20h6v-3H4zM14 7h6V4h-6z" />`),audiences:Gn(a`<circle cx="9" cy="8" r="3.5" /><path d="M3 20c0-4 2.5-6 6-6s6 2 6 6M16 5a3.5 3.5 0 0 1 0 6.5M18 14.5c2 .8 3 2.700 3 5.500" />`),
jobs:Gn(a`<path d="M4 6h16M4 12h16M4 18h10" />`),letters:Gn(a`<path d="M4 6h16v12H4zM4 7l8 6 8-6" />`),campaigns:Gn(a`<path d="M5 10v4l9 4V6zM14 9a3 3 0 0 1 0 6M7 15v4h3v-3" />`),
rules:Gn(a`<path d="M6 4v6M6 14v6M12 4v2M12 10v10M18 4v10M18 18v2M4 12h4M10 8h4M16 16h4" />`),workers:Gn(a`<path d="M4 5h16v5H4zM4 14h16v5H4zM8 7.500h.01M8 16.500h.01" />`),
audit:Gn(a`<path d="M7 3h8l4 4v14H7zM15 3v4h4M10 12h6M10 16h6" />`),theme:Gn(a`<path d="M12 4a8 8 0 1 0 0 16z" fill="currentColor" /><circle cx="12" cy="12" r="8" />`),
leave:Gn(a`<path d="M10 5H5v14h5M14 8l4 4-4 4M18 12H9" />`),brand:a`<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#4f46e5" /><g fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"><path d="M9 8v8a7 7 0 0 0 14 0V8" /><path d="M9 26h14" /></g></svg>`};var fo=[["h","","Overview"],["a","audiences","Audiences"],["j","jobs","Jobs"],["l","letters","Dead letters"],["c","campaigns","Campaigns"],["r","rules","Rules"],
["u","audit","Audit"]];function Rn(){let[e,t]=(location.hash.slice(1)||"/").split("?");return{path:e.split("/").map(decodeURIComponent).join("/"),names:e.split(
"/").filter(Boolean).map(decodeURIComponent),params:Object.fromEntries(new URLSearchParams(t))}}function Bc(){let[e,t]=I(Rn());return ke(()=>{let n=()=>t(Rn());
return window.addEventListener("hashchange",n),()=>window.removeEventListener("hashchange",n)},[]),e}function rr(e){let t=At(e);t.current=e,ke(()=>{let n=()=>t.
current();return window.addEventListener("popstate",n),()=>window.removeEventListener("popstate",n)},[])}function ae(...e){return"#/"+e.map(encodeURIComponent).
join("/")}function tt(e){let{path:t,params:n}={path:(location.hash.slice(1)||"/").split("?")[0],params:Rn().params},s=new URLSearchParams;for(let[c,g]of Object.
entries({...n,...e}))g&&s.set(c,g);let o=s.toString(),r="#"+t+(o&&"?"+o),i=["text","match"].find(c=>c in e)??"";r!==location.hash&&(i&&history.state?.typed===i?
history.replaceState(history.state,"",r):history.pushState({typed:i},"",r),window.dispatchEvent(new Event("hashchange")))}history.scrollRestoration="manual";var Pi=0,
oa=null;window.addEventListener("scroll",()=>{clearTimeout(Pi),oa||(Pi=setTimeout(()=>history.replaceState({...history.state,y:window.scrollY},""),150))},{passive:!0});
var Uc=["wheel","touchstart","pointerdown","keydown"],Jc=()=>{};function Gc(){let e=oa!==null;return Jc(),e}function Kc(e,t){oa?.();let n=!t;Jc=()=>{n=!0,oa&&s()};
let s=()=>{n&&(window.scrollTo(0,e),window.scrollY>=e-1&&oa?.())},o=new ResizeObserver(s),r=setTimeout(()=>oa?.(),5e3),i=()=>{oa=null,o.disconnect(),clearTimeout(
r),Uc.forEach(c=>window.removeEventListener(c,i))};oa=i,Uc.forEach(c=>window.addEventListener(c,i,{passive:!0})),o.observe(document.body)}var Vc=Rn().path;window.
addEventListener("hashchange",()=>{Vc=Rn().path});window.addEventListener("popstate",e=>{clearTimeout(Pi),oa?.(),e.state?.y>0&&Kc(e.state.y,Rn().path!==Vc)});history.
state?.y>0&&Kc(history.state.y);var Fn={invalid_job:{title:"Jobs are not valid",todo:"Correct the field that is wrong with Fix and replay.",then:"Correct it with Fix and replay."},source_missing:{
title:"The export is missing",todo:"Put the export in its place and replay, or set the right file with Fix and replay.",then:"Then replay; if its name is wrong,\
 set the right file with Fix and replay."},source_refused:{title:"The export may not be read",todo:"Move the export to a place that is allowed, and set its new \
place with Fix and replay.",then:"Then replay, or set the new place with Fix and replay."},source_broken:{title:"The export cannot be read",todo:"Have the expor\
t written again and replay, or say with Fix and replay how it is written.",then:"Then replay, or say with Fix and replay how it is written."},unauthorized:{title:"\
The platform refuses the login",todo:"Have the user name or password in usher's configuration corrected, then replay.",then:"Then replay."},forbidden:{title:"Th\
e platform forbids it",todo:"Have usher's login linked to the advertiser on the platform, then replay.",then:"Then replay."},not_found:{title:"The platform does\
 not know the target",todo:"Create the target on the platform and replay, or set the right one with Fix and replay.",then:"Then replay, or set the right one wit\
h Fix and replay."},refused:{title:"The platform refuses the job",todo:"Read what the platform answered, and correct the job with Fix and replay.",then:"Then re\
play, or correct the job with Fix and replay."},shrink:{title:"The audience would shrink too much",todo:"If the smaller export is right, allow it with Fix and r\
eplay. Otherwise have it written again, and replay.",then:"If the smaller export is right, allow it with Fix and replay.",field:"force",value:"true"},changed:{title:"\
The export is not as it was",todo:"If the export is right, accept its differences with Fix and replay. Otherwise have it written as before, and replay.",then:"I\
f the export is right, accept its differences with Fix and replay.",field:"acceptChange",value:"true"},ledger_broken:{title:"usher's list of the ids is damaged",
todo:"Ask whoever runs usher to mend or drop the ledger in the terminal, then replay.",then:"Then replay."},too_many_rejects:{title:"Too few rows have a device \
id",todo:"Look at the dropped rows on the job's page. Then correct how the export is read, or allow more, with Fix and replay.",then:"Then correct the job, or a\
llow more, with Fix and replay.",field:"maxRejectPercent"},exhausted:{title:"All attempts have failed",todo:"Remove the cause, then replay.",then:"Then replay."},
poison:{title:"A worker crashed on it again and again",todo:"Report it with the worker's log. Replay once it is repaired.",then:"Replay once it is repaired."},deadline:{
title:"The deadline has passed",todo:"Set a later deadline with Fix and replay.",then:"Set a later deadline with Fix and replay.",field:"deadline"}},Ft=e=>Fn[e]?.
title??e,mo={"segment.add":["Add to a segment",e=>`Add to ${e}`],"segment.remove":["Remove from a segment",e=>`Remove from ${e}`],"segment.mirror":["Make a segm\
ent equal to an export",e=>`Make ${e} equal to an export`],"target.add":["Add to a campaign's devices",e=>`Add to ${e}`],"target.replace":["Replace a campaign's\
 devices",e=>`Replace ${e}`],"target.clear":["Clear a campaign's devices",e=>`Clear ${e}`],"target.mirror":["Make a campaign's devices equal to an export",e=>`M\
ake ${e} equal to an export`],"campaign.pause":["Pause creatives",e=>`Pause creatives of ${e}`],"campaign.resume":["Resume creatives",e=>`Resume creatives of ${e}`],
"campaign.budget":["Set a campaign's daily budget",e=>`Set the daily budget of ${e}`],"campaign.bid":["Set a campaign's maximum bid",e=>`Set the maximum bid of ${e}`],
"rules.evaluate":["Run rules",e=>`Run ${e}`],"device.forget":["Forget devices",()=>"Forget devices"]},Eh=e=>mo[e]?.[0]??e,Kn=(e,t)=>(/\(removed\)/.test(e)?"":t?
`${t} (${e.replace(/^segment /,"")})`:e??"").replace(/^target /,"devices of ").replace(/^campaign /,""),lr=(e,t,n)=>mo[e]&&/\S \S/.test(t??"")&&Kn(t)?mo[e][1](Kn(
t,n)):Eh(e),We={queued:"Jobs that no worker has begun. A replayed job waits here again.",running:"Jobs that a worker carries out now.",retrying:"Jobs whose last\
 attempt failed, and whose next attempt has a time.",done:"Jobs that have ended, with every row counted.",failed:"Jobs whose last run has failed, whether or not\
 their dead letters were discarded since.",cancelled:"Jobs that were ended by a person. What the platform had taken before stays there.",letters:"Failed jobs th\
at wait for a person: neither replayed nor discarded.",rows:"Rows that all workers have read, per second, over the last ten seconds.",taken:"Jobs of this lane t\
hat run, or wait for their next attempt.",waiting:"Jobs of this lane that no worker has taken, or that were given back.",read:"Rows that were read from the expo\
rt, whatever became of them.",new:"Accepted ids that were no members of the audience before the job, by its ledger.",accepted:"Rows whose ids the platform has a\
ccepted; in a dry run, those that would be sent.",ids:"Ids that the audience holds: as usher's ledger counts them, otherwise as the platform said after the last\
 job.",change:"Ids that the last job which changed the audience has added and removed.",quality:"Rows of the last export that name no device, in percent of the \
rows read.",open:"Jobs of this audience that have not ended: queued, running, or waiting for their next attempt.",saved:"Spend of the days on which a creative w\
ould have been paused.",pauses:"Creatives that the rules would have paused.",held:"Changes that a limit or a guard would have held back.",missed:"Clicks and imp\
ressions of the days on which a creative would have been paused."},Li={ACTIVE:"active",INACTIVE:"paused",PENDING:"waits for the platform's approval"},Oh={released:"\
rules may change it"},Gt=e=>Li[e]??Oh[e]??e,Ih={zero_id:"zero id",shared_id:"id that many devices share",other_id:"IMEI or MAC address",placeholder:"placeholder\
, such as null",macro:"macro that was not filled in",header:"repeated header",empty:"empty cell",spreadsheet:"changed by a spreadsheet",shape:"no id of a known \
shape",looks_hashed:"looks hashed",sha1:"SHA-1 hash",sha256:"SHA-256 hash",wrong_type:"id of another type",malformed:"cannot be parsed"},ra=e=>Ih[e]??e.replaceAll(
"_"," "),xn={budget:"daily budget",bid:"maximum bid"},$o={segment:"Segment",campaign:"Campaign",profile:"Kind of ids",advertiser:"Advertiser","source.url":"File",
"source.column":"Column of ids","source.typeColumn":"Column of types","source.only":"Rows taken, such as consent=yes","source.disregard":"Columns that decide no\
thing",input:"Form of the ids","source.delimiter":"Delimiter","source.encoding":"Encoding","source.format":"Format","source.sheet":"Sheet","source.skip":"Lines \
to skip","source.quote":"Quotes","source.escape":"Escapes","source.ids":"Ids","source.doneMarker":"Marker of a complete export","source.compression":"Compressio\
n","source.cut":"Read in parts","source.version":"Version of the file","source.incompleteLastRow":"If the last row is cut off","source.anyVersion":"UUIDs of any\
 version",reason:"Reason",actor:"By",deadline:"Deadline",asOf:"As of",rules:"Rule file",rule:"Rule",creatives:"Creatives",force:"Although it removes more than i\
s allowed",dryRun:"Sends nothing",acceptChange:"Differences accepted",maxShift:"Shift of reasons allowed, in percent",maxRemovePercent:"Removals allowed, in per\
cent",maxRejectPercent:"Rejected rows allowed, in percent",maxShrinkPercent:"Shrinking allowed, in percent",maxMalformedPercent:"Unreadable rows allowed, in per\
cent"},Ka=e=>$o[e]??e,zi=e=>e.replace(/\b[a-z]+(\.[a-zA-Z]+)+ on \/v3\/\S*: /,"").replace(/\b(?:junk|invalid)\.([a-z0-9_]+)/g,(t,n)=>ra(n)).replace(/(^|[\s(])\/([a-zA-Z]+(?:\/[a-zA-Z]+)*)/g,
(t,n,s)=>$o[s.replaceAll("/",".")]?`${n}“${$o[s.replaceAll("/",".")]}”`:t),Ph={act:"acts",approve:"asks first",notify:"notifies",observe:"only records"},Rs=e=>Ph[e]??
e,ir=/\busher (api|auth|backup|bench|config|console|dead|demo|dev|doctor|feeds|hash|inspect|intake|jobs|lanes|ledger|limits|migrate|restore|rules|run|sandbox|submit|suppress)\b|(^|\s)--[a-z]|\bsubmit (it |the job )?again\b/,
Lh=/([;.:] )/;function dr(e){if(!ir.test(e))return e;let t=e.replace(/ ?\(([^()]*)\)/g,(o,r)=>ir.test(r)?"":o).replace(/, see [^,;]*/g,o=>ir.test(o)?"":o).split(
Lh),n="",s=!1;for(let o=0;o<t.length;o+=2)s=ir.test(t[o])||s&&t[o-1]===": ",s||(n+=(n&&t[o-1])+t[o]);return n.replace(/^(or|and|then) /,"").replace(/[;:.\s]+$/,
"")}var zh=new RegExp(Object.keys($o).filter(e=>/[.A-Z]/.test(e)).sort((e,t)=>t.length-e.length).map(e=>`(?:--set |--)?\\b${e.replace(".","\\.")}\\b`).join("|"),
"g");function Yc(e){let t=[],n=0;for(let s of e.matchAll(zh)){let o=s[0].replace(/^--(set )?/,"");t.push(e.slice(n,s.index),{name:o,title:$o[o]}),n=s.index+s[0].
length}return[...t,e.slice(n)]}var Fi={observe:"its mode",disabled:"the configuration",kept:"a person",hands_off:"a change that somebody else made",pending:"the\
 platform's approval",pause_wanted:"another rule",decrease_wanted:"another rule",bound:"its min or max",cooldown:"its cooldown",flips:"max_flips_per_day",keep_active:"\
keep_active",cap:"its limits",stop:"the stop switch"},Zc=["cap","approval"],_a=e=>e.action==="held"&&Zc.includes(e.guard),As=e=>e.approvals?.length&&e.state!=="\
approved"?e.approvals.at(-1).waiting.length+(e.leftOut?.length??0):e.guards?Zc.reduce((t,n)=>t+(e.guards[n]??0),0):e.counts?.held??0;var Xc=!0;function Ge({title:e,sub:t,crumb:n,acts:s,children:o}){let r=At(null);return ke(()=>{document.title=`${e} · usher`},[e]),ke(()=>{let i=Gc();Xc||(r.current?.
focus({preventScroll:!0}),i||window.scrollTo(0,0)),Xc=!1},[]),a`<div class="page">
    <div class="head">
      <div class="title">
        ${n&&a`<div class="crumb">${n}</div>`}
        <h1 tabindex="-1" ref=${r}>${e}</h1>
        ${t&&a`<div class="sub">${t}</div>`}
      </div>
      ${s&&a`<div class="acts">${s}</div>`}
    </div>
    ${o}
  </div>`}function X({title:e,side:t,children:n,flush:s}){return a`<section class="card">
    ${e&&a`<div class="top"><h2>${e}</h2>${t}</div>`}
    <div class=${s?"flush":"body"}>${n}</div>
  </section>`}var Fh={done:"good",running:"info",retrying:"warn",queued:"",failed:"bad",cancelled:"",ACTIVE:"good",INACTIVE:"",PENDING:"warn"},Wi=e=>Fh[e]??"",Va=({
is:e})=>a`<span class="badge ${Wi(e)}" title=${Li[e]?`the platform says ${e}`:We[e]}>${Gt(e)}</span>`,Nn=({kind:e,target:t,name:n})=>a`<span title=${e}>${lr(e,t,
n)}</span>`,Ni=new Set;setInterval(()=>Ni.forEach(e=>e(ut())),5e3);function Ms(){let[e,t]=I(ut());return ke(()=>(Ni.add(t),()=>Ni.delete(t)),[]),Math.max(e,ut()-
5e3)}function ee({at:e}){return Ms(),e?a`<time class="nowrap" datetime=${e} title=${zt(e)}>${ho(e)}</time>`:a`<span class="faint none">–</span>`}function Ya({
at:e}){let t=Ms();return a`<time datetime=${e} title=${zt(e)}>since <span class="nowrap">${Lc(e)}</span>, <span class="nowrap">${ho(e,t).replace(" ago","")}</span></time>`}
var xt=({text:e})=>a`<span title=${zi(e)===e?void 0:e}><${Nt} text=${zi(e)} /></span>`,Es=({l:e})=>e&&a`<div class="looking" role="status">
  ${e.error?a`<span class="bad-ink">Older jobs cannot be read: ${e.error}</span>`:a`<progress max=${e.of} value=${e.looked} aria-label="Jobs looked through"></progress><span>Looked through ${C(
e.looked)} of ${C(e.of)} jobs so far</span>`}</div>`,Os=(e,t)=>t?e?C(e)+"+":"…":C(e),Te=({title:e,children:t})=>a`<div class="empty"><b>${e}</b>${t}</div>`,yn=()=>a`<div class="loading" role="status" aria-label="Loading"><i></i><i></i><i></i></div>`,
Nh=({text:e})=>Yc(e).map(t=>t.title?a`<span class="field-name" title=${t.name}>“${t.title}”</span>`:t),Wh=({text:e})=>e.split("`").map((t,n)=>n%2?a`<code>${t}</code>`:
a`<${Nh} text=${t} />`),Nt=({text:e})=>typeof e=="string"?a`<${Wh} text=${dr(e)||e} />`:e;function ia({text:e,of:t,onFix:n}){let s=Fn[t],o=typeof e=="string"?dr(
e):e,r=s?.then==="Then replay."?/\breplay\b/i.test(o):/\bdiscard\b/.test(o),i=s&&!r&&(o?s.then:s.todo),c=typeof e=="string"&&o!==e;return!o&&!i&&!c?null:a`<div class="hint">${o&&
a`<${Nt} text=${o} />`}${o&&i&&(/[.!?]$/.test(o)?" ":". ")}${i&&a`<${qh} text=${i} onFix=${n} />`}
    ${c&&a`<details class="small"><summary>In the terminal</summary>${e.split("`").map((g,m)=>m%2?a`<code>${g}</code>`:g)}</details>`}</div>`}var Ca=({children:e})=>a`<details class="small"><summary>In the terminal</summary><code>${e}</code></details>`;
function qh({text:e,onFix:t}){let[n,...s]=e.split("Fix and replay");return!t||s.length===0?e:a`${n}<button class="bare lane" onClick=${t}>Fix and replay</button>${s.
join("Fix and replay")}`}function hn({says:e,retry:t}){return a`<div class="callout bad" role="alert"><div><div class="says">Loading failed</div><${ia} text=${e} /></div>
    ${t&&a`<button class="small" onClick=${t}>Try again</button>`}</div>`}function ue({level:e="",says:t,hint:n,of:s,onFix:o,where:r,children:i}){let c=a`<div><div class="says"><${Nt} text=${t} /></div>${r?
n&&a`<div class="hint"><${Nt} text=${n} /></div>`:a`<${ia} text=${n} of=${s} onFix=${o} />`}${i}</div>`;return r?a`<a class="callout ${e}" href=${r}>${c}</a>`:a`<div class="callout ${e}">${c}</div>`}
function pt({result:e,children:t}){return e.data?a`${e.error&&!e.lost&&a`<${hn} says=${e.error} retry=${e.reload} />`}${t(e.data)}`:e.error?a`<${hn} says=${e.error} retry=${e.
reload} />`:a`<div class="card"><${yn} /></div>`}var jt=({name:e,value:t,unit:n,note:s,href:o,bad:r,meaning:i})=>{let c=a`<div class="name">${e}</div><div class="value ${r?
"bad-ink":""}">${t}${n&&a` <small>${n}</small>`}</div>${s&&a`<div class="note">${s}</div>`}`;return o?a`<a class="figure" href=${o} title=${i}>${c}</a>`:a`<div class="figure" title=${i}>${c}</div>`};
function An({value:e,onText:t,label:n}){let[s,o]=I(e??""),r=At(0);return ke(()=>o(e??""),[e]),a`<input type="search" value=${s} placeholder=${n} aria-label=${n} onInput=${i=>{
o(i.target.value),clearTimeout(r.current);let c=i.target.value;r.current=setTimeout(()=>t(c),250)}} />`}var Vn=({value:e,onPick:t,label:n,options:s})=>a`<select aria-label=${n} value=${e??
""} onChange=${o=>t(o.target.value)}>
  ${s.map(([o,r])=>a`<option value=${o} selected=${o===(e??"")}>${r}</option>`)}</select>`,ja=({value:e,onPick:t,options:n,label:s})=>a`<div class="tabs" role="group" aria-label=${s}>
  ${n.map(([o,r,i,c])=>a`<button title=${c} aria-pressed=${o===(e??"")} onClick=${()=>t(o)}>${r}${i!==void 0&&a` <small>${typeof i=="number"?C(i):i}</small>`}</button>`)}</div>`;
function Ke({title:e,act:t,dismiss:n="Cancel",danger:s,wide:o,onAct:r,onClose:i,ready:c=!0,children:g}){let m=At(null),[T,E]=I(!1),[w,j]=I("");return rr(i),ke(()=>{
let Q=document.activeElement,re=m.current;return re.showModal(),(re.querySelector("[data-first]")??re.querySelector("input,textarea,select"))?.focus(),()=>{re.close(),
Q?.focus?.()}},[]),a`<dialog ref=${m} class=${o?"wide":""} aria-label=${e} onCancel=${Q=>{Q.preventDefault(),i()}}
      onMouseDown=${Q=>Q.target===m.current&&i()}>
    <form onSubmit=${async Q=>{if(Q.preventDefault(),!(T||!c)){E(!0),j("");try{await r(),i()}catch(re){j(re.message),E(!1)}}}}>
      <header><h2>${e}</h2></header>
      <div class="inside">${g}${w&&a`<div class="callout bad" role="alert"><${ia} text=${w} /></div>`}</div>
      <footer>
        <button type="button" onClick=${i}>${t?n:"Close"}</button>
        ${t&&a`<button type="submit" class=${s?"danger solid":"primary"} disabled=${T||!c}>${T?"…":t}</button>`}
      </footer>
    </form>
  </dialog>`}var Oe=({name:e,hint:t,children:n})=>a`<label class="field"><span>${e}</span>${n}${t&&a`<small>${t}</small>`}</label>`,Qc=()=>{},Ve=(e,t)=>Qc({text:dr(
e)||e,bad:t,key:Math.random()});function eu(){let[e,t]=I([]);return Qc=n=>{t(s=>[...s.slice(-3),n]),setTimeout(()=>t(s=>s.filter(o=>o!==n)),n.bad?9e3:5e3)},a`<div class="toasts" role="status" aria-live="polite">${e.
map(n=>a`<div class="toast ${n.bad?"bad":""}" key=${n.key}>${n.text}</div>`)}</div>`}var tu=(e,t)=>{try{localStorage.setItem(e,t)}catch{}},qi=e=>{try{return localStorage.getItem(e)}catch{return null}},nu="(prefers-color-scheme: dark)",Is=()=>(document.
documentElement.dataset.theme??(matchMedia(nu).matches?"dark":"light"))==="dark";function ur(e){let t=matchMedia(nu);return t.addEventListener("change",e),window.
addEventListener("theme",e),()=>{t.removeEventListener("change",e),window.removeEventListener("theme",e)}}function au(e){document.documentElement.dataset.theme=
e,window.dispatchEvent(new Event("theme"))}function Ps(){let e=Is()?"light":"dark";au(e),tu("theme",e)}var cr=()=>document.documentElement.dataset.rows==="compa\
ct";function su(e){e?document.documentElement.dataset.rows="compact":delete document.documentElement.dataset.rows}function pr(){su(!cr()),tu("rows",cr()?"compac\
t":"roomy")}function ou(){qi("theme")&&au(qi("theme")),su(qi("rows")==="compact")}var Hh=12,Sa=e=>()=>{location.hash=e},Uh=e=>[...fo.map(([t,n,s])=>({name:s,kind:"page",key:`g ${t}`,act:Sa("#/"+n)})),{name:"Backtest of rules",kind:"page",act:Sa(
"#/rules/backtest")},{name:"Failed jobs",kind:"page",act:Sa("#/jobs?state=failed")},{name:"Audiences with problems",kind:"page",act:Sa("#/audiences?only=problem\
s")},{name:Is()?"Light colours":"Dark colours",kind:"setting",key:"t",act:Ps},{name:Dn()?"Times in this computer's zone":"Times in UTC",kind:"setting",key:"d",act:()=>Cs(
!Dn())},{name:cr()?"Roomy rows":"Compact rows",kind:"setting",key:"z",act:pr},{name:"Keys",kind:"help",key:"?",act:e}];function ru({onClose:e,onHelp:t}){let n=At(
null),[s,o]=I(""),[r,i]=I(0),[c,g]=I([]);rr(e),ke(()=>{let w=document.activeElement;return n.current.showModal(),sa("/api/audiences").then(({audiences:j})=>g(U=>[
...U,...j.map(Q=>({name:Q.target,kind:"audience",act:Sa(ae("audiences",Q.target))}))]),()=>{}),sa("/api/campaigns").then(({campaigns:j})=>g(U=>[...U,...j.map(Q=>({
name:Q.code,kind:"campaign",act:Sa(ae("campaigns",Q.code))}))]),()=>{}),()=>w?.isConnected&&w.focus?.({preventScroll:!0})},[]);let m=en(()=>{let w=s.toLowerCase().
split(/\s+/).filter(Boolean),j=[...Uh(t),...c].filter(U=>w.every(Q=>`${U.name} ${U.kind}`.toLowerCase().includes(Q))).slice(0,Hh);return/^\S+$/.test(s.trim())&&
j.push({name:`Open the job ${s.trim()}`,kind:"job",act:Sa(ae("jobs",s.trim()))}),s.trim()&&j.push({name:`Search jobs for “${s.trim()}”`,kind:"search",act:Sa(
"#/jobs?text="+encodeURIComponent(s.trim()))}),j},[s,c]),T=w=>{e(),w?.act()},E=w=>{let j={ArrowDown:1,ArrowUp:-1}[w.key];j&&(w.preventDefault(),i((r+j+m.length)%
m.length)),w.key==="Enter"&&(w.preventDefault(),T(m[r]))};return a`<dialog ref=${n} class="palette" aria-label="Find" onCancel=${w=>{w.preventDefault(),e()}} onMouseDown=${w=>w.
target===n.current&&e()}>
    <input type="text" role="combobox" aria-expanded="true" aria-controls="found" aria-activedescendant=${`found-${r}`} aria-label="Find a page, an audience, a campaign or a job" placeholder="Find a page, an audience, a campaign or a job …"
      autofocus value=${s} onInput=${w=>{o(w.target.value),i(0)}} onKeyDown=${E} />
    <ul role="listbox" id="found" aria-label="Found">${m.map((w,j)=>a`<li role="option" id=${`found-${j}`} aria-selected=${j===r} onMouseMove=${()=>i(j)} onClick=${()=>T(
w)}><span>${w.name}</span><span class="faint small">${w.key?a`<kbd>${w.key}</kbd>`:w.kind}</span></li>`)}</ul>
  </dialog>`}var Bh=/Mac|iPhone|iPad/.test(navigator.platform),Jh=[[Bh?"⌘ K":"Ctrl K","Find a page, an audience, a campaign or a job"],["/","Search on this page"],["j  k",
"Next and previous row"],["Enter","Open the row"],["x","Select the row"],["Esc","Close what is open"],...fo.map(([e,,t])=>[`g ${e}`,t]),["z","Compact rows, or r\
oomy ones"],["t","Light or dark colours"],["d","Times in UTC, or in this computer's zone"],["?","These keys"]],Gh=e=>e.target.closest?.("input:not([type=checkbo\
x]), textarea, select, [contenteditable]"),Kh=()=>[...document.querySelectorAll("main tbody tr, main .incident")].filter(e=>e.offsetParent!==null);function iu(e){
let t=Kh();if(t.length===0)return;let n=t.findIndex(r=>r.classList.contains("at")),s=t[n<0?e>0?0:t.length-1:Math.min(Math.max(n+e,0),t.length-1)];t.forEach(r=>r.
classList.toggle("at",r===s)),(s.querySelector("a.id, button.id")??s.querySelector("a, button"))?.focus({preventScroll:!0}),s.scrollIntoView({block:"nearest"})}
var Vh=()=>document.querySelector("main .at input[type=checkbox]")?.click(),Yh=()=>document.querySelector("main input[type=search]")?.focus();function lu(){let[
e,t]=I("");ke(()=>{let s=0,o=r=>{if((r.ctrlKey||r.metaKey)&&!r.altKey&&r.key.toLowerCase()==="k"){r.preventDefault(),t("palette");return}if(r.ctrlKey||r.metaKey||
r.altKey||Gh(r)||document.querySelector("dialog[open]"))return;let i=Date.now()-s<1500&&fo.find(([g])=>g===r.key);if(s=0,i){location.hash="#/"+i[1];return}let c={
g:()=>{s=Date.now()},"/":Yh,"?":()=>t("help"),j:()=>iu(1),k:()=>iu(-1),x:Vh,z:pr,t:Ps,d:()=>Cs(!Dn())}[r.key];c&&(r.preventDefault(),c())};return window.addEventListener(
"keydown",o),()=>window.removeEventListener("keydown",o)},[]);let n=()=>t("");return e==="palette"?a`<${ru} onClose=${n} onHelp=${()=>t("help")} />`:e==="help"&&
a`<${Ke} title="Keys" onClose=${n}><dl class="facts keys">${Jh.map(([s,o])=>a`<dt><kbd>${s}</kbd></dt><dd>${o}</dd>`)}</dl><//>`}function cu(e){let[t,n]=I(Date.now());ke(()=>{let U=setInterval(()=>n(Date.now()),1e3);return()=>clearInterval(U)},[]);let{state:s,heard:o,cut:r}=ar(),i=(s?.services??
[]).filter(U=>U.since),[c="",g]=e,m=c===""||c==="jobs"&&!g,T=c==="campaigns"?["NATS","Platform"]:["NATS"],E=i.filter(U=>T.includes(U.name)),w=s&&new Date(m&&!s.
figures.startsWith("0001")?s.figures:E.length?E[0].since:s.at),j=w?(new Date(s.at)-w+t-o)/1e3:0;return{state:s,lost:i,cut:r,heard:o,asOf:w,age:Math.max(0,j),stale:r||
E.length>0,well:!r&&i.length===0}}function uu({status:{state:e,lost:t,cut:n,heard:s,asOf:o,age:r,stale:i}}){if(!e)return a`<div class="status"><span class="faint">${n?
"usher does not respond":"Connecting …"}</span></div>`;let c=t.some(m=>m.name==="NATS"),g=m=>n||c&&m.name==="NATS writes"?"":m.since?"off":"on";return a`<div class="status">
      ${e.services.map(m=>a`<span key=${m.name} class="service ${g(m)}"><i></i>${m.name}<span class="sr">${{on:" works",off:" is lost"}[g(m)]??" unknown"}</span></span>`)}
      <span class="nowrap">${z(e.workers,"worker")}${e.workers>0&&a`, <span title="when the worker that was silent for longest sent its heartbeat">heard ${Math.
round(e.oldest+Math.max(0,Date.now()-s)/1e3)} s ago</span>`}</span>
      <span class="asof nowrap" title=${o&&zt(o)}>as of ${i?cn(o):Math.round(r)+" s"}</span>
    </div>
    <div class="lost" role="alert">
      ${n&&a`<${du} key="page" says=${`This page has no connection to usher since ${cn(s)}; figures are from ${cn(Math.min(s,o))}.`}
        hint="It connects again by itself. If it does not: is usher running, and can this computer reach it?" />`}
      ${!n&&t.map(m=>a`<${du} key=${m.name} hint=${m.hint} why=${m.why}
        says=${`${m.says} since ${cn(m.since)}${i?`; figures are from ${cn(o)}`:""}.`} />`)}
    </div>`}var du=({says:e,why:t,hint:n})=>a`<div class="callout bad"><div><div class="says">${e}</div><${ia} text=${n} />${t&&a`<div class="faint small"><${xt} text=${t} /></div>`}</div></div>`;function pu({why:e,onIn:t}){let[n,s]=I(""),[o,r]=I(!1),[i,c]=I(""),[g,m]=I(""),T=Ne.ways??[],E=async(j,U)=>{r(!0),s("");try{await Ie(j,U),await t()}catch(Q){s(Q.
message),r(!1)}},w=()=>{let{names:j}=Rn();return j[0]!=="login"||!j[1]?!1:(history.replaceState(null,"","#/"),window.dispatchEvent(new Event("hashchange")),E("/\
api/login/link",{Token:j[1]}),!0)};return ke(()=>(document.title="Log in · usher",window.addEventListener("hashchange",w),!w()&&T.includes("proxy")&&E("/api/lo\
gin/proxy",{}),Ne.ways?.length||Ts().catch(j=>s(j.message)),()=>window.removeEventListener("hashchange",w)),[]),ke(()=>{if(Ne.absent!=="unread")return;let j=setInterval(
()=>t().catch(()=>{}),2e3);return()=>clearInterval(j)},[e]),a`<div class="login"><div class="box">
    <div class="brand">${wn.brand}usher</div>
    <p class="soft" role="status">${e??"Log in to see what usher does."}</p>
    ${T.includes("password")&&a`<form onSubmit=${j=>{j.preventDefault(),E("/api/login",{User:i,Password:g})}}>
      <${Oe} name="Name"><input type="text" autocomplete="username" required autofocus value=${i} onInput=${j=>c(j.target.value)} /><//>
      <${Oe} name="Password"><input type="password" autocomplete="current-password" required value=${g} onInput=${j=>m(j.target.value)} /><//>
      <button class="primary" disabled=${o}>${o?"Logging in …":"Log in"}</button>
    </form>`}
    ${T.includes("link")&&a`<p class="soft">${o?"Logging in …":"Open the link that usher printed when it started. It logs in one browser, once; the next link \
is in usher's log."}</p>`}
    ${T.includes("proxy")&&a`<button disabled=${o} onClick=${()=>E("/api/login/proxy",{})}>Log in through the proxy</button>`}
    ${n&&a`<div class="callout bad" role="alert"><div>${n}</div></div>`}
  </div></div>`}function la(e){let t=e.consequence;return t?`${e.dryRun?"would be ":""}+${C(t.added)}, −${C(t.removed)}, ${e.dryRun?"then":"now"} ${C(t.now)}`:e.new===void 0?
"":`+${C(e.new)} of ${C(e.accepted)} accepted`}var Zh=e=>Object.entries(e??{}).sort((t,n)=>n[1]-t[1]).map(([t,n])=>`${C(n)} ${ra(t)}`).join(", ");function Ls({r:e}){
let t=la(e),n=Zh(e.rejected);return a`${t&&a`<span class=${e.consequence?.large?"bad-ink":""}>${t}</span>`}${t&&n&&"; "}${n&&a`rejected: ${n}`}`}var Xh=(function(){"use strict";let e="u-off",t="u-label",n="width",s="height",r="bottom",i="left",c="right",g="#000",m=g+"0",T="mousemove",E="mousedown",w="mou\
seup",j="mouseenter",U="mouseleave",Q="dblclick",re="change",we="dppxchange",ie="--",Ye=typeof window<"u",an=Ye?document:null,ht=Ye?window:null,de=Ye?navigator:
null,$e,Wt;function ft(l,u){if(u!=null){let $=l.classList;!$.contains(u)&&$.add(u)}}function Kt(l,u){let $=l.classList;$.contains(u)&&$.remove(u)}function Pe(l,u,$){
l.style[u]=$+"px"}function sn(l,u,$,p){let b=an.createElement(l);return u!=null&&ft(b,u),$?.insertBefore(b,p),b}function on(l,u){return sn("div",l,u)}let qe=new WeakMap;
function St(l,u,$,p,b){let k="translate("+u+"px,"+$+"px)";k!=qe.get(l)&&(l.style.transform=k,qe.set(l,k),0>u||0>$||u>p||$>b?ft(l,e):Kt(l,e))}let Wn=new WeakMap;
function $l(l,u,$){let p=u+$;p!=Wn.get(l)&&(Wn.set(l,p),l.style.background=u,l.style.borderColor=$)}let gl=new WeakMap;function bl(l,u,$,p){let b=u+""+$;b!=gl.get(
l)&&(gl.set(l,b),l.style.height=$+"px",l.style.width=u+"px",l.style.marginLeft=p?-u/2+"px":0,l.style.marginTop=p?-$/2+"px":0)}let _r={passive:!0},bp={..._r,capture:!0};
function Ea(l,u,$,p){u.addEventListener(l,$,p?bp:_r)}function Cr(l,u,$){u.removeEventListener(l,$,_r)}function Mn(l,u,$,p){let b;$=$||0;let k=2147483647>=(p=p||
u.length-1);for(;p-$>1;)b=k?$+p>>1:mn(($+p)/2),l>u[b]?$=b:p=b;return l-u[$]>u[p]-l?p:$}function vl(l){return(u,$,p)=>{let b=-1,k=-1;for(let x=$;p>=x;x++)if(l(u[x])){
b=x;break}for(let x=p;x>=$;x--)if(l(u[x])){k=x;break}return[b,k]}}Ye&&(function l(){let u=devicePixelRatio;$e!=u&&($e=u,Wt&&Cr(re,Wt,l),Wt=matchMedia(`(min-reso\
lution: ${$e-.001}dppx) and (max-resolution: ${$e+.001}dppx)`),Ea(re,Wt,l),ht.dispatchEvent(new CustomEvent(we)))})();let wl=l=>l!=null,xl=l=>l!=null&&l>0,ko=vl(
wl),vp=vl(xl);function _o(l,u,$,p){let b=_l(l),k=_l(u);l==u&&(b==-1?(l*=$,u/=$):(l/=$,u*=$));let x=$==10?Yn:Cl,D=k==1?kn:mn,A=(b==1?mn:kn)(x(Tt(l))),R=D(x(Tt(u))),
O=es($,A),_=es($,R);return $==10&&(0>A&&(O=Xe(O,-A)),0>R&&(_=Xe(_,-R))),p||$==2?(l=O*b,u=_*k):(l=Ml(l,O),u=So(u,_)),[l,u]}function jr(l,u,$,p){let b=_o(l,u,$,p);
return l==0&&(b[0]=0),u==0&&(b[1]=0),b}let Sr=.1,yl={mode:3,pad:Sr},Ys={pad:0,soft:null,mode:0},wp={min:Ys,max:Ys};function Co(l,u,$,p){return To($)?kl(l,u,$):(Ys.
pad=$,Ys.soft=p?0:null,Ys.mode=p?3:0,kl(l,u,wp))}function ze(l,u){return l??u}function kl(l,u,$){let p=$.min,b=$.max,k=ze(p.pad,0),x=ze(b.pad,0),D=ze(p.hard,-Ze),
A=ze(b.hard,Ze),R=ze(p.soft,Ze),O=ze(b.soft,-Ze),_=ze(p.mode,0),W=ze(b.mode,0),Y=u-l,B=Yn(Y),V=tn(Tt(l),Tt(u)),xe=Yn(V),ce=Tt(xe-B);(1e-24>Y||ce>10)&&(Y=0,l!=0&&
u!=0||(Y=1e-24,_==2&&R!=Ze&&(k=0),W==2&&O!=-Ze&&(x=0)));let q=Y||V||1e3,be=Yn(q),G=es(10,mn(be)),te=Xe(Ml(l-q*(Y==0?l==0?.1:1:k),G/10),24),J=R>l||_!=1&&(_!=3||te>
R)&&(_!=2||R>te)?Ze:R,_e=tn(D,J>te&&l>=J?J:En(J,te)),Ce=Xe(So(u+q*(Y==0?u==0?.1:1:x),G/10),24),De=u>O||W!=1&&(W!=3||O>Ce)&&(W!=2||Ce>O)?-Ze:O,Ae=En(A,Ce>De&&De>=
u?De:tn(De,Ce));return _e==Ae&&_e==0&&(Ae=100),[_e,Ae]}let xp=new Intl.NumberFormat(Ye?de.language:"en-US"),Tr=l=>xp.format(l),fn=Math,jo=fn.PI,Tt=fn.abs,mn=fn.
floor,Dt=fn.round,kn=fn.ceil,En=fn.min,tn=fn.max,es=fn.pow,_l=fn.sign,Yn=fn.log10,Cl=fn.log2,Dr=(l,u=1)=>fn.asinh(l/u),Ze=1/0;function jl(l){return 1+(0|Yn((l^l>>
31)-(l>>31)))}function Rr(l,u,$){return En(tn(l,u),$)}function Sl(l){return typeof l=="function"}function Ee(l){return Sl(l)?l:()=>l}let Tl=l=>l,Dl=(l,u)=>u,yp=()=>null,
Rl=()=>!0,Al=(l,u)=>l==u,kp=/\.\d*?(?=9{6,}|0{6,})/gm,Oa=l=>{if(Ol(l)||ca.has(l))return l;let u=""+l,$=u.match(kp);if($==null)return l;let p=$[0].length-1;if(u.
indexOf("e-")!=-1){let[b,k]=u.split("e");return+`${Oa(b)}e${k}`}return Xe(l,p)};function Ia(l,u){return Oa(Xe(Oa(l/u))*u)}function So(l,u){return Oa(kn(Oa(l/u))*
u)}function Ml(l,u){return Oa(mn(Oa(l/u))*u)}function Xe(l,u=0){if(Ol(l))return l;let $=10**u;return Dt(l*$*(1+Number.EPSILON))/$}let ca=new Map;function El(l){
return((""+l).split(".")[1]||"").length}function Zs(l,u,$,p){let b=[],k=p.map(El);for(let x=u;$>x;x++){let D=Tt(x),A=Xe(es(l,x),D);for(let R=0;p.length>R;R++){let O=l==
10?+`${p[R]}e${x}`:p[R]*A,_=(0>x?D:0)+(k[R]>x?k[R]:0),W=l==10?O:Xe(O,_);b.push(W),ca.set(W,_)}}return b}let Xs={},Ar=[],ts=[null,null],ua=Array.isArray,Ol=Number.
isInteger;function Il(l){return typeof l=="string"}function To(l){let u=!1;if(l!=null){let $=l.constructor;u=$==null||$==Object}return u}function _p(l){return l!=
null&&typeof l=="object"}let Cp=Object.getPrototypeOf(Uint8Array),Pl="__proto__";function ns(l,u=To){let $;if(ua(l)){let p=l.find((b=>b!=null));if(ua(p)||u(p)){
$=Array(l.length);for(let b=0;l.length>b;b++)$[b]=ns(l[b],u)}else $=l.slice()}else if(l instanceof Cp)$=l.slice();else if(u(l)){$={};for(let p in l)p!=Pl&&($[p]=
ns(l[p],u))}else $=l;return $}function yt(l){let u=arguments;for(let $=1;u.length>$;$++){let p=u[$];for(let b in p)b!=Pl&&(To(l[b])?yt(l[b],ns(p[b])):l[b]=ns(p[b]))}
return l}function jp(l,u,$){for(let p,b=0,k=-1;u.length>b;b++){let x=u[b];if(x>k){for(p=x-1;p>=0&&l[p]==null;)l[p--]=null;for(p=x+1;$>p&&l[p]==null;)l[k=p++]=null}}}
let Sp=typeof queueMicrotask>"u"?l=>Promise.resolve().then(l):queueMicrotask,Ll=["January","February","March","April","May","June","July","August","September","\
October","November","December"],zl=["Sunday","Monday","Tuesday","Wednesday","Thursday","Friday","Saturday"];function Fl(l){return l.slice(0,3)}let Tp=zl.map(Fl),
Dp=Ll.map(Fl),Rp={MMMM:Ll,MMM:Dp,WWWW:zl,WWW:Tp};function Qs(l){return(10>l?"0":"")+l}let Ap={YYYY:l=>l.getFullYear(),YY:l=>(l.getFullYear()+"").slice(2),MMMM:(l,u)=>u.
MMMM[l.getMonth()],MMM:(l,u)=>u.MMM[l.getMonth()],MM:l=>Qs(l.getMonth()+1),M:l=>l.getMonth()+1,DD:l=>Qs(l.getDate()),D:l=>l.getDate(),WWWW:(l,u)=>u.WWWW[l.getDay()],
WWW:(l,u)=>u.WWW[l.getDay()],HH:l=>Qs(l.getHours()),H:l=>l.getHours(),h:l=>{let u=l.getHours();return u==0?12:u>12?u-12:u},AA:l=>12>l.getHours()?"AM":"PM",aa:l=>12>
l.getHours()?"am":"pm",a:l=>12>l.getHours()?"a":"p",mm:l=>Qs(l.getMinutes()),m:l=>l.getMinutes(),ss:l=>Qs(l.getSeconds()),s:l=>l.getSeconds(),fff:l=>(function(u){
return(10>u?"00":100>u?"0":"")+u})(l.getMilliseconds())};function Mr(l,u){u=u||Rp;let $,p=[],b=/\{([a-z]+)\}|[^{]+/gi;for(;$=b.exec(l);)p.push($[0][0]=="{"?Ap[$[1]]:
$[0]);return k=>{let x="";for(let D=0;p.length>D;D++)x+=typeof p[D]=="string"?p[D]:p[D](k,u);return x}}let Mp=new Intl.DateTimeFormat().resolvedOptions().timeZone,
Nl=l=>l%1==0,Do=[1,2,2.5,5],Ep=Zs(10,-32,0,Do),Wl=Zs(10,0,32,Do),Op=Wl.filter(Nl),Pa=Ep.concat(Wl),ql="{YYYY}",Hl=`
`+ql,Ul="{M}/{D}",eo=`
`+Ul,Ro=eo+"/{YY}",Bl="{aa}",as="{h}:{mm}"+Bl,Jl=`
`+as,Gl=":{ss}",Ue=null;function Kl(l){let u=1e3*l,$=60*u,p=60*$,b=24*p,k=30*b,x=365*b;return[(l==1?Zs(10,0,3,Do).filter(Nl):Zs(10,-3,0,Do)).concat([u,5*u,10*u,
15*u,30*u,$,5*$,10*$,15*$,30*$,p,2*p,3*p,4*p,6*p,8*p,12*p,b,2*b,3*b,4*b,5*b,6*b,7*b,8*b,9*b,10*b,15*b,k,2*k,3*k,4*k,6*k,x,2*x,5*x,10*x,25*x,50*x,100*x]),[[x,ql,
Ue,Ue,Ue,Ue,Ue,Ue,1],[28*b,"{MMM}",Hl,Ue,Ue,Ue,Ue,Ue,1],[b,Ul,Hl,Ue,Ue,Ue,Ue,Ue,1],[p,"{h}"+Bl,Ro,Ue,eo,Ue,Ue,Ue,1],[$,as,Ro,Ue,eo,Ue,Ue,Ue,1],[u,Gl,Ro+" "+as,Ue,
eo+" "+as,Ue,Jl,Ue,1],[l,Gl+".{fff}",Ro+" "+as,Ue,eo+" "+as,Ue,Jl,Ue,1]],function(D){return(A,R,O,_,W,Y)=>{let B=[],V=W>=x,xe=W>=k&&x>W,ce=D(O),q=Xe(ce*l,3),be=Er(
ce.getFullYear(),V?0:ce.getMonth(),xe||V?1:ce.getDate()),G=Xe(be*l,3);if(xe||V){let te=xe?W/k:0,J=V?W/x:0,_e=q==G?q:Xe(Er(be.getFullYear()+J,be.getMonth()+te,1)*
l,3),Ce=new Date(Dt(_e/l)),De=Ce.getFullYear(),Ae=Ce.getMonth();for(let Z=0;_>=_e;Z++){let oe=Er(De+J*Z,Ae+te*Z,1),fe=oe-D(Xe(oe*l,3));_e=Xe((+oe+fe)*l,3),_e>_||
B.push(_e)}}else{let te=b>W?W:b,J=G+(mn(O)-mn(q))+So(q-G,te);B.push(J);let _e=D(J),Ce=_e.getHours()+_e.getMinutes()/$+_e.getSeconds()/p,De=W/p,Ae=Y/A.axes[R]._space;
for(;J=Xe(J+W,l==1?0:3),_>=J;)if(De>1){let Z=mn(Xe(Ce+De,6))%24,oe=D(J).getHours()-Z;oe>1&&(oe=-1),J-=oe*p,Ce=(Ce+De)%24,.7>Xe((J-B[B.length-1])/W,3)*Ae||B.push(
J)}else B.push(J)}return B}}]}let[Ip,Pp,Lp]=Kl(1),[zp,Fp,Np]=Kl(.001);function Vl(l,u){return l.map(($=>$.map(((p,b)=>b==0||b==8||p==null?p:u(b==1||$[8]==0?p:$[1]+
p)))))}function Yl(l,u){return($,p,b,k,x)=>{let D,A,R,O,_,W,Y=u.find((B=>x>=B[0]))||u[u.length-1];return p.map((B=>{let V=l(B),xe=V.getFullYear(),ce=V.getMonth(),
q=V.getDate(),be=V.getHours(),G=V.getMinutes(),te=V.getSeconds(),J=xe!=D&&Y[2]||ce!=A&&Y[3]||q!=R&&Y[4]||be!=O&&Y[5]||G!=_&&Y[6]||te!=W&&Y[7]||Y[1];return D=xe,
A=ce,R=q,O=be,_=G,W=te,J(V)}))}}function Er(l,u,$){return new Date(l,u,$)}function Zl(l,u){return u(l)}function Xl(l,u){return($,p,b,k)=>k==null?ie:u(l(p))}Zs(2,
-53,53,[1]);let Wp={show:!0,live:!0,isolate:!1,mount:()=>{},markers:{show:!0,width:2,stroke:function(l,u){let $=l.series[u];return $.width?$.stroke(l,u):$.points.
width?$.points.stroke(l,u):null},fill:function(l,u){return l.series[u].fill(l,u)},dash:"solid"},idx:null,idxs:null,values:[]},Or=[0,0];function Ao(l,u,$,p=!0){return b=>{
b.button==0&&(!p||b.target==u)&&$(b)}}function Ir(l,u,$,p=!0){return b=>{(!p||b.target==u)&&$(b)}}let qp={show:!0,x:!0,y:!0,lock:!1,move:function(l,u,$){return Or[0]=
u,Or[1]=$,Or},points:{one:!1,show:function(l,u){let $=l.cursor.points,p=on(),b=$.size(l,u);Pe(p,n,b),Pe(p,s,b);let k=b/-2;Pe(p,"marginLeft",k),Pe(p,"marginTop",
k);let x=$.width(l,u,b);return x&&Pe(p,"borderWidth",x),p},size:function(l,u){return l.series[u].points.size},width:0,stroke:function(l,u){let $=l.series[u].points;
return $._stroke||$._fill},fill:function(l,u){let $=l.series[u].points;return $._fill||$._stroke}},bind:{mousedown:Ao,mouseup:Ao,click:Ao,dblclick:Ao,mousemove:Ir,
mouseleave:Ir,mouseenter:Ir},drag:{setScale:!0,x:!0,y:!1,dist:0,uni:null,click:(l,u)=>{u.stopPropagation(),u.stopImmediatePropagation()},_x:!1,_y:!1},focus:{dist:(l,u,$,p,b)=>p-
b,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},Ql={show:!0,stroke:"rgba(0,0,0,0.07)",width:2},
Pr=yt({},Ql,{filter:Dl}),ed=yt({},Pr,{size:10}),td=yt({},Ql,{show:!1}),Lr='12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto San\
s", sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"',nd="bold "+Lr,ad={show:!0,scale:"x",stroke:g,space:50,gap:5,alignTo:1,
size:50,labelGap:0,labelSize:30,labelFont:nd,side:2,grid:Pr,ticks:ed,border:td,font:Lr,lineGap:1.5,rotate:0},sd={show:!0,scale:"x",auto:!1,sorted:1,min:Ze,max:-Ze,
idxs:[]};function Hp(l,u){return u.map(($=>$==null?"":Tr($)))}function Up(l,u,$,p,b,k,x){let D=[],A=ca.get(b)||0;for(let R=$=x?$:Xe(So($,b),A);p>=R;R=Xe(R+b,A))
D.push(Object.is(R,-0)?0:R);return D}function zr(l,u,$,p,b){let k=[],x=l.scales[l.axes[u].scale].log,D=mn((x==10?Yn:Cl)($));b=es(x,D),x==10&&(b=Pa[Mn(b,Pa)]);let A=$,
R=b*x;x==10&&(R=Pa[Mn(R,Pa)]);do k.push(A),A+=b,x!=10||ca.has(A)||(A=Xe(A,ca.get(b))),R>A||(R=(b=A)*x,x==10&&(R=Pa[Mn(R,Pa)]));while(p>=A);return k}function Bp(l,u,$,p,b){
let k=l.scales[l.axes[u].scale].asinh,x=p>k?zr(l,u,tn(k,$),p,b):[k],D=0>p||$>0?[]:[0];return(-k>$?zr(l,u,tn(k,-p),-$,b):[k]).reverse().map((A=>-A)).concat(D,x)}
let od=/./,Jp=/[12357]/,Gp=/[125]/,rd=/1/,Fr=(l,u,$,p)=>l.map(((b,k)=>u==4&&b==0||k%p==0&&$.test(b.toExponential()[0>b?1:0])?b:null));function Kp(l,u,$){let p=l.
axes[$],b=p.scale,k=l.scales[b],x=l.valToPos,D=p._space,A=x(10,b),R=x(9,b)-A<D?x(7,b)-A<D?x(5,b)-A<D?rd:Gp:Jp:od;if(R==rd){let O=Tt(x(1,b)-A);if(D>O)return Fr(u.
slice().reverse(),k.distr,R,kn(D/O)).reverse()}return Fr(u,k.distr,R,1)}function Vp(l,u,$){let p=l.axes[$],b=p.scale,k=p._space,x=l.valToPos,D=Tt(x(1,b)-x(2,b));
return k>D?Fr(u.slice().reverse(),3,od,kn(k/D)).reverse():u}function Yp(l,u,$,p){return p==null?ie:u==null?"":Tr(u)}let id={show:!0,scale:"y",stroke:g,space:30,
gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:nd,side:3,grid:Pr,ticks:ed,border:td,font:Lr,lineGap:1.5,rotate:0},ld={scale:null,auto:!0,sorted:0,min:Ze,
max:-Ze},dd=(l,u,$,p,b)=>b,cd={show:!0,auto:!0,sorted:0,gaps:dd,alpha:1,facets:[yt({},ld,{scale:"x"}),yt({},ld,{scale:"y"})]},ud={scale:"y",auto:!0,sorted:0,show:!0,
spanGaps:!1,gaps:dd,alpha:1,points:{show:function(l,u){let{scale:$,idxs:p}=l.series[0],b=l._data[0],k=l.valToPos(b[p[0]],$,!0),x=l.valToPos(b[p[1]],$,!0);return Tt(
x-k)/(l.series[u].points.space*$e)>=p[1]-p[0]},filter:null},values:null,min:Ze,max:-Ze,idxs:[],path:null,clip:null};function Zp(l,u,$){return $/10}let pd={time:!0,
auto:!0,distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},Xp=yt({},pd,{time:!1,ori:1}),hd={};function fd(l){let u=hd[l];return u||(u={key:l,plots:[],sub($){
u.plots.push($)},unsub($){u.plots=u.plots.filter((p=>p!=$))},pub($,p,b,k,x,D,A){for(let R=0;u.plots.length>R;R++)u.plots[R]!=p&&u.plots[R].pub($,p,b,k,x,D,A)}},
l!=null&&(hd[l]=u)),u}function La(l,u,$){let p=l.mode,b=l.series[u],k=p==2?l._data[u]:l._data,x=l.scales,D=l.bbox,A=k[0],R=p==2?k[1]:k[u],O=p==2?x[b.facets[0].scale]:
x[l.series[0].scale],_=p==2?x[b.facets[1].scale]:x[b.scale],W=D.left,Y=D.top,B=D.width,V=D.height,xe=l.valToPosH,ce=l.valToPosV;return O.ori==0?$(b,A,R,O,_,xe,ce,
W,Y,B,V,Eo,ss,Io,gd,vd):$(b,A,R,O,_,ce,xe,Y,W,V,B,Oo,os,qr,bd,wd)}function Nr(l,u){let $=0,p=0,b=ze(l.bands,Ar);for(let k=0;b.length>k;k++){let x=b[k];x.series[0]==
u?$=x.dir:x.series[1]==u&&(p|=x.dir==1?1:2)}return[$,p==1?-1:p==2?1:p==3?2:0]}function Qp(l,u,$,p,b){let k=l.series[u],x=l.scales[l.mode==2?k.facets[1].scale:k.
scale];return b==-1?x.min:b==1?x.max:x.distr==3?x.dir==1?x.min:x.max:0}function Zn(l,u,$,p,b,k){return La(l,u,((x,D,A,R,O,_,W,Y,B,V,xe)=>{let ce=x.pxRound,q=R.ori==
0?ss:os,be,G;R.dir*(R.ori==0?1:-1)==1?(be=$,G=p):(be=p,G=$);let te=ce(_(D[be],R,V,Y)),J=ce(W(A[be],O,xe,B)),_e=ce(_(D[G],R,V,Y)),Ce=ce(W(k==1?O.max:O.min,O,xe,B)),
De=new Path2D(b);return q(De,_e,Ce),q(De,te,Ce),q(De,te,J),De}))}function Mo(l,u,$,p,b,k){let x=null;if(l.length>0){x=new Path2D;let D=u==0?Io:qr,A=$;for(let _=0;l.
length>_;_++){let W=l[_];if(W[1]>W[0]){let Y=W[0]-A;Y>0&&D(x,A,p,Y,p+k),A=W[1]}}let R=$+b-A,O=10;R>0&&D(x,A,p-O/2,R,p+k+O)}return x}function Wr(l,u,$,p,b,k,x){let D=[],
A=l.length;for(let R=b==1?$:p;R>=$&&p>=R;R+=b)if(u[R]===null){let O=R,_=R;if(b==1)for(;++R<=p&&u[R]===null;)_=R;else for(;--R>=$&&u[R]===null;)_=R;let W=k(l[O]),
Y=_==O?W:k(l[_]),B=O-b;W=x>0||0>B||B>=A?W:k(l[B]);let V=_+b;Y=0>x||0>V||V>=A?Y:k(l[V]),W>Y||D.push([W,Y])}return D}function md(l){return l==0?Tl:l==1?Dt:u=>Ia(u,
l)}function $d(l){let u=l==0?Eo:Oo,$=l==0?(b,k,x,D,A,R)=>{b.arcTo(k,x,D,A,R)}:(b,k,x,D,A,R)=>{b.arcTo(x,k,A,D,R)},p=l==0?(b,k,x,D,A)=>{b.rect(k,x,D,A)}:(b,k,x,D,A)=>{
b.rect(x,k,A,D)};return(b,k,x,D,A,R=0,O=0)=>{R==0&&O==0?p(b,k,x,D,A):(R=En(R,D/2,A/2),O=En(O,D/2,A/2),u(b,k+R,x),$(b,k+D,x,k+D,x+A,R),$(b,k+D,x+A,k,x+A,O),$(b,k,
x+A,k,x,O),$(b,k,x,k+D,x,R),b.closePath())}}let Eo=(l,u,$)=>{l.moveTo(u,$)},Oo=(l,u,$)=>{l.moveTo($,u)},ss=(l,u,$)=>{l.lineTo(u,$)},os=(l,u,$)=>{l.lineTo($,u)},
Io=$d(0),qr=$d(1),gd=(l,u,$,p,b,k)=>{l.arc(u,$,p,b,k)},bd=(l,u,$,p,b,k)=>{l.arc($,u,p,b,k)},vd=(l,u,$,p,b,k,x)=>{l.bezierCurveTo(u,$,p,b,k,x)},wd=(l,u,$,p,b,k,x)=>{
l.bezierCurveTo($,u,b,p,x,k)};function xd(){return(l,u,$,p,b)=>La(l,u,((k,x,D,A,R,O,_,W,Y,B,V)=>{let xe,ce,{pxRound:q,points:be}=k;A.ori==0?(xe=Eo,ce=gd):(xe=Oo,
ce=bd);let G=Xe(be.width*$e,3),te=(be.size-be.width)/2*$e,J=Xe(2*te,3),_e=new Path2D,Ce=new Path2D,{left:De,top:Ae,width:Z,height:oe}=l.bbox;Io(Ce,De-J,Ae-J,Z+2*
J,oe+2*J);let fe=Fe=>{if(D[Fe]!=null){let pe=q(O(x[Fe],A,B,W)),Me=q(_(D[Fe],R,V,Y));xe(_e,pe+te,Me),ce(_e,pe,Me,te,0,2*jo)}};if(b)b.forEach(fe);else for(let Fe=$;p>=
Fe;Fe++)fe(Fe);return{stroke:G>0?_e:null,fill:_e,clip:Ce,flags:3}}))}function yd(l){return(u,$,p,b,k,x)=>{p!=b&&(k!=p&&x!=p&&l(u,$,p),k!=b&&x!=b&&l(u,$,b),l(u,$,
x))}}let eh=yd(ss),th=yd(os);function kd(l){let u=ze(l?.alignGaps,0);return($,p,b,k)=>La($,p,((x,D,A,R,O,_,W,Y,B,V,xe)=>{[b,k]=ko(A,b,k);let ce,q,be=x.pxRound,G=oe=>be(
_(oe,R,V,Y)),te=oe=>be(W(oe,O,xe,B));R.ori==0?(ce=ss,q=eh):(ce=os,q=th);let J=R.dir*(R.ori==0?1:-1),_e={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,
flags:1},Ce=_e.stroke,De=!1;if(k-b<4*V)for(let oe=J==1?b:k;oe>=b&&k>=oe;oe+=J){let fe=A[oe];fe===null?De=!0:fe!=null&&ce(Ce,G(D[oe]),te(fe))}else{let oe,fe,Fe,pe=le=>$.
posToVal(le,R.key,!0),Me=null,lt=null,Rt=G(D[J==1?b:k]),Qe=G(D[b]),qt=G(D[k]),Re=pe(J==1?Qe+1:qt-1);for(let le=J==1?b:k;le>=b&&k>=le;le+=J){let ne=D[le],dt=(J==
1?Re>ne:ne>Re)?Rt:G(ne),mt=A[le];dt==Rt?mt!=null?(fe=mt,Me==null?(ce(Ce,dt,te(fe)),oe=Me=lt=fe):Me>fe?Me=fe:fe>lt&&(lt=fe)):mt===null&&(De=!0):(Me!=null&&q(Ce,Rt,
te(Me),te(lt),te(oe),te(fe)),mt!=null?(fe=mt,ce(Ce,dt,te(fe)),Me=lt=oe=fe):(Me=lt=null,mt===null&&(De=!0)),Rt=dt,Re=pe(Rt+J))}Me!=null&&Me!=lt&&Fe!=Rt&&q(Ce,Rt,
te(Me),te(lt),te(oe),te(fe))}let[Ae,Z]=Nr($,p);if(x.fill!=null||Ae!=0){let oe=_e.fill=new Path2D(Ce),fe=te(x.fillTo($,p,x.min,x.max,Ae)),Fe=G(D[b]),pe=G(D[k]);J==
-1&&([pe,Fe]=[Fe,pe]),ce(oe,pe,fe),ce(oe,Fe,fe)}if(!x.spanGaps){let oe=[];De&&oe.push(...Wr(D,A,b,k,J,G,u)),_e.gaps=oe=x.gaps($,p,b,k,oe),_e.clip=Mo(oe,R.ori,Y,
B,V,xe)}return Z!=0&&(_e.band=Z==2?[Zn($,p,b,k,Ce,-1),Zn($,p,b,k,Ce,1)]:Zn($,p,b,k,Ce,Z)),_e}))}function _d(l,u,$,p,b,k,x=Ze){if(l.length>1){let D=null;for(let A=0,
R=1/0;l.length>A;A++)if(u[A]!==void 0){if(D!=null){let O=Tt(l[A]-l[D]);R>O&&(R=O,x=Tt($(l[A],p,b,k)-$(l[D],p,b,k)))}D=A}}return x}function nh(l,u,$,p,b){let k=l.
length;if(2>k)return null;let x=new Path2D;if($(x,l[0],u[0]),k==2)p(x,l[1],u[1]);else{let D=Array(k),A=Array(k-1),R=Array(k-1),O=Array(k-1);for(let _=0;k-1>_;_++)
R[_]=u[_+1]-u[_],O[_]=l[_+1]-l[_],A[_]=R[_]/O[_];D[0]=A[0];for(let _=1;k-1>_;_++)A[_]===0||A[_-1]===0||A[_-1]>0!=A[_]>0?D[_]=0:(D[_]=3*(O[_-1]+O[_])/((2*O[_]+O[_-
1])/A[_-1]+(O[_]+2*O[_-1])/A[_]),isFinite(D[_])||(D[_]=0));D[k-1]=A[k-2];for(let _=0;k-1>_;_++)b(x,l[_]+O[_]/3,u[_]+D[_]*O[_]/3,l[_+1]-O[_]/3,u[_+1]-D[_+1]*O[_]/
3,l[_+1],u[_+1])}return x}let Hr=new Set;function Cd(){for(let l of Hr)l.syncRect(!0)}Ye&&(Ea("resize",ht,Cd),Ea("scroll",ht,Cd,!0),Ea(we,ht,(()=>{Vt.pxRatio=$e})));
let ah=kd(),sh=xd();function jd(l,u,$,p){return(p?[l[0],l[1]].concat(l.slice(2)):[l[0]].concat(l.slice(1))).map(((b,k)=>Ur(b,k,u,$)))}function Ur(l,u,$,p){return yt(
{},u==0?$:p,l)}function Sd(l,u,$){return u==null?ts:[u,$]}let oh=Sd;function rh(l,u,$){return u==null?ts:Co(u,$,Sr,!0)}function Td(l,u,$,p){return u==null?ts:_o(
u,$,l.scales[p].log,!1)}let ih=Td;function Dd(l,u,$,p){return u==null?ts:jr(u,$,l.scales[p].log,!1)}let lh=Dd;function dh(l,u,$,p,b){let k=tn(jl(l),jl(u)),x=u-l,
D=Mn(b/p*x,$);do{let A=$[D],R=p*A/x;if(R>=b&&17>=k+(5>A?ca.get(A):0))return[A,R]}while(++D<$.length);return[0,0]}function Rd(l){let u,$;return[l=l.replace(/(\d+)px/,
((p,b)=>(u=Dt(($=+b)*$e))+"px")),u,$]}function ch(l){l.show&&[l.font,l.labelFont].forEach((u=>{let $=Xe(u[2]*$e,1);u[0]=u[0].replace(/[0-9.]+px/,$+"px"),u[1]=$}))}
function Vt(l,u,$){let p={mode:ze(l.mode,1)},b=p.mode;function k(d,h,f,v){let y=h.valToPct(d);return v+f*(h.dir==-1?1-y:y)}function x(d,h,f,v){let y=h.valToPct(
d);return v+f*(h.dir==-1?y:1-y)}function D(d,h,f,v){return h.ori==0?k(d,h,f,v):x(d,h,f,v)}p.valToPosH=k,p.valToPosV=x;let A=!1;p.status=0;let R=p.root=on("uplot");
l.id!=null&&(R.id=l.id),ft(R,l.class),l.title&&(on("u-title",R).textContent=l.title);let O=sn("canvas"),_=p.ctx=O.getContext("2d"),W=on("u-wrap",R);Ea("click",W,
(d=>{d.target===B&&(at!=vs||ct!=ws)&&Bt.click(p,d)}),!0);let Y=p.under=on("u-under",W);W.appendChild(O);let B=p.over=on("u-over",W),V=+ze((l=ns(l)).pxAlign,1),xe=md(
V);(l.plugins||[]).forEach((d=>{d.opts&&(l=d.opts(p,l)||l)}));let ce=l.ms||.001,q=p.series=b==1?jd(l.series||[],sd,ud,!1):(function(d,h){return d.map(((f,v)=>v==
0?{}:yt({},h,f)))})(l.series||[null],cd),be=p.axes=jd(l.axes||[],ad,id,!0),G=p.scales={},te=p.bands=l.bands||[];te.forEach((d=>{d.fill=Ee(d.fill||null),d.dir=ze(
d.dir,-1)}));let J=b==2?q[1].facets[0].scale:q[0].scale,_e={axes:function(){for(let d=0;be.length>d;d++){let h=be[d];if(!h.show||!h._show)continue;let f,v,y=h.side,
S=y%2,M=h.stroke(p,d),P=y==0||y==3?-1:1,[L,F]=h._found;if(h.label!=null){let rt=Dt((h._lpos+h.labelGap*P)*$e);Ld(h.labelFont[0],M,"center",y==2?"top":r),_.save(),
S==1?(f=v=0,_.translate(rt,Dt(rn+Wa/2)),_.rotate((y==3?-jo:jo)/2)):(f=Dt(Cn+Pn/2),v=rt);let Qt=Sl(h.label)?h.label(p,d,L,F):h.label;_.fillText(Qt,f,v),_.restore()}
if(F==0)continue;let H=G[h.scale],se=S==0?Pn:Wa,Le=S==0?Cn:rn,ye=h._splits,ge=H.distr==2?ye.map((rt=>Ln[rt])):ye,ve=H.distr==2?Ln[ye[1]]-Ln[ye[0]]:L,N=h.ticks,he=h.
border,He=N.show?N.size:0,vt=Dt(He*$e),ot=Dt((h.alignTo==2?h._size-He-h.gap:h.gap)*$e),Be=h._rotate*-jo/180,Jt=xe(h._pos*$e),Zt=Jt+(vt+ot)*P;v=S==0?Zt:0,f=S==1?
Zt:0,Ld(h.font[0],M,h.align==1?i:h.align==2?c:Be>0?i:0>Be?c:S==0?"center":y==3?c:i,Be||S==1?"middle":y==2?"top":r);let Xt=h.font[1]*h.lineGap,$t=ye.map((rt=>xe(
D(rt,H,se,Le)))),bn=h._values;for(let rt=0;bn.length>rt;rt++){let Qt=bn[rt];if(Qt!=null){S==0?f=$t[rt]:v=$t[rt],Qt=""+Qt;let dn=Qt.indexOf(`
`)==-1?[Qt]:Qt.split(/\n/gm);for(let Tn=0;dn.length>Tn;Tn++){let ta=dn[Tn];Be?(_.save(),_.translate(f,v+Tn*Xt),_.rotate(Be),_.fillText(ta,0,0),_.restore()):_.fillText(
ta,f,v+Tn*Xt)}}}N.show&&ai($t,N.filter(p,ge,d,F,ve),S,y,Jt,vt,Xe(N.width*$e,3),N.stroke(p,d),N.dash,N.cap);let _t=h.grid;_t.show&&ai($t,_t.filter(p,ge,d,F,ve),S,
S==0?2:1,S==0?rn:Cn,S==0?Wa:Pn,Xe(_t.width*$e,3),_t.stroke(p,d),_t.dash,_t.cap),he.show&&ai([Jt],[1],S==0?1:0,S==0?1:2,S==1?rn:Cn,S==1?Wa:Pn,Xe(he.width*$e,3),he.
stroke(p,d),he.dash,he.cap)}Lt("drawAxes")},series:function(){if(Ut>0){let d=q.some((h=>h._focus))&&ln!=qn.alpha;d&&(_.globalAlpha=ln=qn.alpha),q.forEach(((h,f)=>{
if(f>0&&h.show&&(Fd(f,!1),Fd(f,!0),h._paths==null)){let v=ln;ln!=h.alpha&&(_.globalAlpha=ln=h.alpha);let y=b==2?[0,u[f][0].length-1]:(function(S){let M=Rr(Et-1,
0,Ut-1),P=Rr(Ot+1,0,Ut-1);for(;S[M]==null&&M>0;)M--;for(;S[P]==null&&Ut-1>P;)P++;return[M,P]})(u[f]);h._paths=h.paths(p,f,y[0],y[1]),ln!=v&&(_.globalAlpha=ln=v)}})),
q.forEach(((h,f)=>{if(f>0&&h.show){let v=ln;ln!=h.alpha&&(_.globalAlpha=ln=h.alpha),h._paths!=null&&Nd(f,!1);{let y=h._paths!=null?h._paths.gaps:null,S=h.points.
show(p,f,Et,Ot,y),M=h.points.filter(p,f,S,y);(S||M)&&(h.points._paths=h.points.paths(p,f,Et,Ot,M),Nd(f,!0))}ln!=v&&(_.globalAlpha=ln=v),Lt("drawSeries",f)}})),d&&
(_.globalAlpha=ln=1)}}},Ce=(l.drawOrder||["axes","series"]).map((d=>_e[d]));function De(d){let h=d.distr==3?f=>Yn(f>0?f:d.clamp(p,f,d.min,d.max,d.key)):d.distr==
4?f=>Dr(f,d.asinh):d.distr==100?f=>d.fwd(f):f=>f;return f=>{let v=h(f),{_min:y,_max:S}=d;return(v-y)/(S-y)}}function Ae(d){let h=G[d];if(h==null){let f=(l.scales||
Xs)[d]||Xs;if(f.from!=null){Ae(f.from);let v=yt({},G[f.from],f,{key:d});v.valToPct=De(v),G[d]=v}else{h=G[d]=yt({},d==J?pd:Xp,f),h.key=d;let v=h.time,y=h.range,S=ua(
y);if((d!=J||b==2&&!v)&&(!S||y[0]!=null&&y[1]!=null||(y={min:y[0]==null?yl:{mode:1,hard:y[0],soft:y[0]},max:y[1]==null?yl:{mode:1,hard:y[1],soft:y[1]}},S=!1),!S&&
To(y))){let M=y;y=(P,L,F)=>L==null?ts:Co(L,F,M)}h.range=Ee(y||(v?oh:d==J?h.distr==3?ih:h.distr==4?lh:Sd:h.distr==3?Td:h.distr==4?Dd:rh)),h.auto=Ee(!S&&h.auto),h.
clamp=Ee(h.clamp||Zp),h._min=h._max=null,h.valToPct=De(h)}}}Ae("x"),Ae("y"),b==1&&q.forEach((d=>{Ae(d.scale)})),be.forEach((d=>{Ae(d.scale)}));for(let d in l.scales)
Ae(d);let Z=G[J],oe=Z.distr,fe,Fe;Z.ori==0?(ft(R,"u-hz"),fe=k,Fe=x):(ft(R,"u-vt"),fe=x,Fe=k);let pe={};for(let d in G){let h=G[d];h.min==null&&h.max==null||(pe[d]=
{min:h.min,max:h.max},h.min=h.max=null)}let Me=l.tzDate||(d=>new Date(Dt(d/ce))),lt=l.fmtDate||Mr,Rt=ce==1?Lp(Me):Np(Me),Qe=Yl(Me,Vl(ce==1?Pp:Fp,lt)),qt=Xl(Me,Zl(
"{YYYY}-{MM}-{DD} {h}:{mm}{aa}",lt)),Re=[],le=p.legend=yt({},Wp,l.legend),ne=p.cursor=yt({},qp,{drag:{y:b==2}},l.cursor),dt=le.show,mt=ne.show,gt=le.markers,On,
rs,$n;le.idxs=Re,gt.width=Ee(gt.width),gt.dash=Ee(gt.dash),gt.stroke=Ee(gt.stroke),gt.fill=Ee(gt.fill);let bt,gn=[],pa=[],_n=!1,ha={};if(le.live){let d=q[1]?q[1].
values:null;_n=d!=null,bt=_n?d(p,1,0):{_:0};for(let h in bt)ha[h]=ie}if(dt)if(On=sn("table","u-legend",R),$n=sn("tbody",null,On),le.mount(p,On),_n){rs=sn("thead",
null,On,$n);let d=sn("tr",null,rs);for(var is in sn("th",null,d),bt)sn("th",t,d).textContent=is}else ft(On,"u-inline"),le.live&&ft(On,"u-live");let ls={show:!0},
to={show:!1},fa=new Map;function nn(d,h,f,v=!0){let y=fa.get(h)||{},S=ne.bind[d](p,h,f,v);S&&(Ea(d,h,y[d]=S),fa.set(h,y))}function ds(d,h){let f=fa.get(h)||{};for(let v in f)
d!=null&&v!=d||(Cr(v,h,f[v]),delete f[v]);d==null&&fa.delete(h)}let Xn=0,za=0,je=0,K=0,et=0,Ht=0,Fa=et,Qn=Ht,Na=je,In=K,Cn=0,rn=0,Pn=0,Wa=0;p.bbox={};let Br=!1,
Po=!1,cs=!1,qa=!1,Lo=!1,jn=!1;function Jr(d,h,f){(f||d!=p.width||h!=p.height)&&Ad(d,h),$s(!1),cs=!0,Po=!0,xs()}function Ad(d,h){p.width=Xn=je=d,p.height=za=K=h,
et=Ht=0,(function(){let v=!1,y=!1,S=!1,M=!1;be.forEach((P=>{if(P.show&&P._show){let{side:L,_size:F}=P,H=F+(P.label!=null?P.labelSize:0);H>0&&(L%2?(je-=H,L==3?(et+=
H,M=!0):S=!0):(K-=H,L==0?(Ht+=H,v=!0):y=!0))}})),Ua[0]=v,Ua[1]=S,Ua[2]=y,Ua[3]=M,je-=ma[1]+ma[3],et+=ma[3],K-=ma[2]+ma[0],Ht+=ma[0]})(),(function(){let v=et+je,
y=Ht+K,S=et,M=Ht;function P(L,F){switch(L){case 1:return v+=F,v-F;case 2:return y+=F,y-F;case 3:return S-=F,S+F;case 0:return M-=F,M+F}}be.forEach((L=>{if(L.show&&
L._show){let F=L.side;L._pos=P(F,L._size),L.label!=null&&(L._lpos=P(F,L.labelSize))}}))})();let f=p.bbox;Cn=f.left=Ia(et*$e,.5),rn=f.top=Ia(Ht*$e,.5),Pn=f.width=
Ia(je*$e,.5),Wa=f.height=Ia(K*$e,.5)}let uh=3;if(p.setSize=function({width:d,height:h}){Jr(d,h)},ne.dataIdx==null){let d=ne.hover,h=d.skip=new Set(d.skip??[]);h.
add(void 0);let f=d.prox=Ee(d.prox),v=d.bias??=0;ne.dataIdx=(y,S,M,P)=>{if(S==0)return M;let L=M,F=f(y,S,M,P)??Ze,H=F>=0&&Ze>F,se=Z.ori==0?je:K,Le=ne.left,ye=u[0],
ge=u[S];if(h.has(ge[M])){L=null;let ve,N=null,he=null;if(v==0||v==-1)for(ve=M;N==null&&ve-- >0;)h.has(ge[ve])||(N=ve);if(v==0||v==1)for(ve=M;he==null&&ve++<ge.length;)
h.has(ge[ve])||(he=ve);if(N!=null||he!=null)if(H){let He=Le-(N==null?-1/0:fe(ye[N],Z,se,0)),vt=(he==null?1/0:fe(ye[he],Z,se,0))-Le;He>vt?vt>F||(L=he):He>F||(L=N)}else
L=he==null?N:N==null||M-N>he-M?he:N}else H&&Tt(Le-fe(ye[M],Z,se,0))>F&&(L=null);return L}}let Ha=d=>{ne.event=d};ne.idxs=Re,ne._lock=!1;let Yt=ne.points;Yt.show=
Ee(Yt.show),Yt.size=Ee(Yt.size),Yt.stroke=Ee(Yt.stroke),Yt.width=Ee(Yt.width),Yt.fill=Ee(Yt.fill);let qn=p.focus=yt({},l.focus||{alpha:.3},ne.focus),us=qn.prox>=
0,ps=us&&Yt.one,Sn=[],hs=[],fs=[];function Md(d,h){let f=Yt.show(p,h);if(f instanceof HTMLElement)return ft(f,"u-cursor-pt"),ft(f,d.class),St(f,-10,-10,je,K),B.
insertBefore(f,Sn[h]),f}function Ed(d,h){if(b==1||h>0){let f=b==1&&G[d.scale].time,v=d.value;d.value=f?Il(v)?Xl(Me,Zl(v,lt)):v||qt:v||Yp,d.label=d.label||(f?"Ti\
me":"Value")}if(ps||h>0){d.width=d.width==null?1:d.width,d.paths=d.paths||ah||yp,d.fillTo=Ee(d.fillTo||Qp),d.pxAlign=+ze(d.pxAlign,V),d.pxRound=md(d.pxAlign),d.
stroke=Ee(d.stroke||null),d.fill=Ee(d.fill||null),d._stroke=d._fill=d._paths=d._focus=null;let f=(function(y){return Xe(1*(3+2*(y||1)),3)})(tn(1,d.width)),v=d.points=
yt({},{size:f,width:tn(1,.2*f),stroke:d.stroke,space:2*f,paths:sh,_stroke:null,_fill:null},d.points);v.show=Ee(v.show),v.filter=Ee(v.filter),v.fill=Ee(v.fill),v.
stroke=Ee(v.stroke),v.paths=Ee(v.paths),v.pxAlign=d.pxAlign}if(dt){let f=(function(v,y){if(y==0&&(_n||!le.live||b==2))return ts;let S=[],M=sn("tr","u-series",$n,
$n.childNodes[y]);ft(M,v.class),v.show||ft(M,e);let P=sn("th",null,M);if(gt.show){let H=on("u-marker",P);if(y>0){let se=gt.width(p,y);se&&(H.style.border=se+"px\
 "+gt.dash(p,y)+" "+gt.stroke(p,y)),H.style.background=gt.fill(p,y)}}let L=on(t,P);for(var F in v.label instanceof HTMLElement?L.appendChild(v.label):L.textContent=
v.label,y>0&&(gt.show||(L.style.color=v.width>0?gt.stroke(p,y):gt.fill(p,y)),nn("click",P,(H=>{if(ne._lock)return;Ha(H);let se=q.indexOf(v);if((H.ctrlKey||H.metaKey)!=
le.isolate){let Le=q.some(((ye,ge)=>ge>0&&ge!=se&&ye.show));q.forEach(((ye,ge)=>{ge>0&&Hn(ge,Le?ge==se?ls:to:ls,!0,kt.setSeries)}))}else Hn(se,{show:!v.show},!0,
kt.setSeries)}),!1),us&&nn(j,P,(H=>{ne._lock||(Ha(H),Hn(q.indexOf(v),ks,!0,kt.setSeries))}),!1)),bt){let H=sn("td","u-value",M);H.textContent="--",S.push(H)}return[
M,S]})(d,h);gn.splice(h,0,f[0]),pa.splice(h,0,f[1]),le.values.push(null)}if(mt){Re.splice(h,0,null);let f=null;ps?h==0&&(f=Md(d,h)):h>0&&(f=Md(d,h)),Sn.splice(h,
0,f),hs.splice(h,0,0),fs.splice(h,0,0)}Lt("addSeries",h)}p.addSeries=function(d,h){h=h??q.length,d=b==1?Ur(d,h,sd,ud):Ur(d,h,{},cd),q.splice(h,0,d),Ed(q[h],h)},
p.delSeries=function(d){if(q.splice(d,1),dt){le.values.splice(d,1),pa.splice(d,1);let h=gn.splice(d,1)[0];ds(null,h.firstChild),h.remove()}mt&&(Re.splice(d,1),Sn.
splice(d,1)[0].remove(),hs.splice(d,1),fs.splice(d,1)),Lt("delSeries",d)};let Ua=[!1,!1,!1,!1];function no(d,h,f){let[v,y,S,M]=f,P=h%2,L=0;return P==0&&(M||y)&&
(L=h==0&&!v||h==2&&!S?Dt(ad.size/3):0),P==1&&(v||S)&&(L=h==1&&!y||h==3&&!M?Dt(id.size/2):0),L}let Od=p.padding=(l.padding||[no,no,no,no]).map((d=>Ee(ze(d,no)))),
ma=p._padding=Od.map(((d,h)=>d(p,h,Ua,0))),Ut,Et=null,Ot=null,zo=b==1?q[0].idxs:null,Fo,ms,Gr,Kr,Vr,Yr,Zr,Xr,Qr,ln,Ln=null,ao=!1;function Id(d,h){if(p.data=p._data=
u=d??[],b==2){Ut=0;for(let f=1;q.length>f;f++)Ut+=u[f][0].length}else{u.length==0&&(p.data=p._data=u=[[]]),Ln=u[0],Ut=Ln.length;let f=u;if(oe==2){f=u.slice();let v=f[0]=
Array(Ut);for(let y=0;Ut>y;y++)v[y]=y}p._data=u=f}if($s(!0),Lt("setData"),oe==2&&(cs=!0),h!==!1){let f=Z;f.auto(p,ao)?ei():ga(J,f.min,f.max),qa=qa||ne.left>=0,jn=
!0,xs()}}function ei(){let d,h;ao=!0,b==1&&(Ut>0?(Et=zo[0]=0,Ot=zo[1]=Ut-1,d=u[0][Et],h=u[0][Ot],oe==2?(d=Et,h=Ot):d==h&&(oe==3?[d,h]=_o(d,d,Z.log,!1):oe==4?[d,
h]=jr(d,d,Z.log,!1):Z.time?h=d+Dt(86400/ce):[d,h]=Co(d,h,Sr,!0))):(Et=zo[0]=d=null,Ot=zo[1]=h=null)),ga(J,d,h)}function Pd(d,h,f,v,y,S){d??=m,f??=Ar,v??="butt",
y??=m,S??="round",d!=Fo&&(_.strokeStyle=Fo=d),y!=ms&&(_.fillStyle=ms=y),h!=Gr&&(_.lineWidth=Gr=h),S!=Vr&&(_.lineJoin=Vr=S),v!=Yr&&(_.lineCap=Yr=v),f!=Kr&&_.setLineDash(
Kr=f)}function Ld(d,h,f,v){h!=ms&&(_.fillStyle=ms=h),d!=Zr&&(_.font=Zr=d),f!=Xr&&(_.textAlign=Xr=f),v!=Qr&&(_.textBaseline=Qr=v)}function ti(d,h,f,v,y=0){if(v.length>
0&&d.auto(p,ao)&&(h==null||h.min==null)){let S=ze(Et,0),M=ze(Ot,v.length-1),P=f.min==null?(function(L,F,H,se=0,Le=!1){let ye=Le?vp:ko,ge=Le?xl:wl;[F,H]=ye(L,F,H);
let ve=L[F],N=L[F];if(F>-1)if(se==1)ve=L[F],N=L[H];else if(se==-1)ve=L[H],N=L[F];else for(let he=F;H>=he;he++){let He=L[he];ge(He)&&(ve>He?ve=He:He>N&&(N=He))}return[
ve??Ze,N??-Ze]})(v,S,M,y,d.distr==3):[f.min,f.max];d.min=En(d.min,f.min=P[0]),d.max=tn(d.max,f.max=P[1])}}p.setData=Id;let zd={min:null,max:null};function Fd(d,h){
let f=h?q[d].points:q[d];f._stroke=f.stroke(p,d),f._fill=f.fill(p,d)}function Nd(d,h){let f=h?q[d].points:q[d],{stroke:v,fill:y,clip:S,flags:M,_stroke:P=f._stroke,
_fill:L=f._fill,_width:F=f.width}=f._paths;F=Xe(F*$e,3);let H=null,se=F%2/2;h&&L==null&&(L=F>0?"#fff":P);let Le=f.pxAlign==1&&se>0;if(Le&&_.translate(se,se),!h){
let ye=Cn-F/2,ge=rn-F/2,ve=Pn+F,N=Wa+F;H=new Path2D,H.rect(ye,ge,ve,N)}h?ni(P,F,f.dash,f.cap,L,v,y,M,S):(function(ye,ge,ve,N,he,He,vt,ot,Be,Jt,Zt){let Xt=!1;Be!=
0&&te.forEach((($t,bn)=>{if($t.series[0]==ye){let _t,rt=q[$t.series[1]],Qt=u[$t.series[1]],dn=(rt._paths||Xs).band;ua(dn)&&(dn=$t.dir==1?dn[0]:dn[1]);let Tn=null;
rt.show&&dn&&(function(ta,wa,vn){for(wa=ze(wa,0),vn=ze(vn,ta.length-1);vn>=wa;){if(ta[wa]!=null)return!0;wa++}return!1})(Qt,Et,Ot)?(Tn=$t.fill(p,bn)||He,_t=rt._paths.
clip):dn=null,ni(ge,ve,N,he,Tn,vt,ot,Be,Jt,Zt,_t,dn),Xt=!0}})),Xt||ni(ge,ve,N,he,He,vt,ot,Be,Jt,Zt)})(d,P,F,f.dash,f.cap,L,v,y,M,H,S),Le&&_.translate(-se,-se)}let Wd=3;
function ni(d,h,f,v,y,S,M,P,L,F,H,se){Pd(d,h,f,v,y),(L||F||se)&&(_.save(),L&&_.clip(L),F&&_.clip(F)),se?(P&Wd)==Wd?(_.clip(se),H&&_.clip(H),Wo(y,M),No(d,S,h)):2&
P?(Wo(y,M),_.clip(se),No(d,S,h)):1&P&&(_.save(),_.clip(se),H&&_.clip(H),Wo(y,M),_.restore(),No(d,S,h)):(Wo(y,M),No(d,S,h)),(L||F||se)&&_.restore()}function No(d,h,f){
f>0&&(h instanceof Map?h.forEach(((v,y)=>{_.strokeStyle=Fo=y,_.stroke(v)})):h!=null&&d&&_.stroke(h))}function Wo(d,h){h instanceof Map?h.forEach(((f,v)=>{_.fillStyle=
ms=v,_.fill(f)})):h!=null&&d&&_.fill(h)}function ai(d,h,f,v,y,S,M,P,L,F){let H=M%2/2;V==1&&_.translate(H,H),Pd(P,M,L,F,P),_.beginPath();let se,Le,ye,ge,ve=y+(v==
0||v==3?-S:S);f==0?(Le=y,ge=ve):(se=y,ye=ve);for(let N=0;d.length>N;N++)h[N]!=null&&(f==0?se=ye=d[N]:Le=ge=d[N],_.moveTo(se,Le),_.lineTo(ye,ge));_.stroke(),V==1&&
_.translate(-H,-H)}function ph(d){let h=!0;return be.forEach(((f,v)=>{if(!f.show)return;let y=G[f.scale];if(y.min==null)return void(f._show&&(h=!1,f._show=!1,$s(
!1)));f._show||(h=!1,f._show=!0,$s(!1));let S=f.side,M=S%2,{min:P,max:L}=y,[F,H]=(function(N,he,He,vt){let ot,Be=be[N];if(vt>0){let Jt=Be._space=Be.space(p,N,he,
He,vt);ot=dh(he,He,Be._incrs=Be.incrs(p,N,he,He,vt,Jt),vt,Jt)}else ot=[0,0];return Be._found=ot})(v,P,L,M==0?je:K);if(H==0)return;let se=f._splits=f.splits(p,v,
P,L,F,H,y.distr==2),Le=y.distr==2?se.map((N=>Ln[N])):se,ye=y.distr==2?Ln[se[1]]-Ln[se[0]]:F,ge=f._values=f.values(p,f.filter(p,Le,v,H,ye),v,H,ye);f._rotate=S==2?
f.rotate(p,ge,v,H):0;let ve=f._size;f._size=kn(f.size(p,ge,v,d)),ve!=null&&f._size!=ve&&(h=!1)})),h}function hh(d){let h=!0;return Od.forEach(((f,v)=>{let y=f(p,
v,Ua,d);y!=ma[v]&&(h=!1),ma[v]=y})),h}function $s(d){q.forEach(((h,f)=>{f>0&&(h._paths=null,d&&(b==1?(h.min=null,h.max=null):h.facets.forEach((v=>{v.min=null,v.
max=null}))))}))}let si,oi,gs,bs,qd,Hd,vs,ws,Ud,Bd,at,ct,qo=!1,ri=!1,so=[];function fh(){ri=!1;for(let d=0;so.length>d;d++)Lt(...so[d]);so.length=0}function xs(){
qo||(Sp(Jd),qo=!0)}function Jd(){if(Br&&((function(){for(let v in G){let y=G[v];pe[v]==null&&(y.min==null||pe[J]!=null&&y.auto(p,ao))&&(pe[v]=zd)}for(let v in G){
let y=G[v];pe[v]==null&&y.from!=null&&pe[y.from]!=null&&(pe[v]=zd)}pe[J]!=null&&$s(!0);let d={};for(let v in pe){let y=pe[v];if(y!=null){let S=d[v]=ns(G[v],_p);
if(y.min!=null)yt(S,y);else if(v!=J||b==2)if(Ut==0&&S.from==null){let M=S.range(p,null,null,v);S.min=M[0],S.max=M[1]}else S.min=Ze,S.max=-Ze}}if(Ut>0){q.forEach(
((v,y)=>{if(b==1){let S=v.scale,M=pe[S];if(M==null)return;let P=d[S];if(y==0){let L=P.range(p,P.min,P.max,S);P.min=L[0],P.max=L[1],Et=Mn(P.min,u[0]),Ot=Mn(P.max,
u[0]),Ot-Et>1&&(P.min>u[0][Et]&&Et++,u[0][Ot]>P.max&&Ot--),v.min=Ln[Et],v.max=Ln[Ot]}else v.show&&v.auto&&ti(P,M,v,u[y],v.sorted);v.idxs[0]=Et,v.idxs[1]=Ot}else if(y>
0&&v.show&&v.auto){let[S,M]=v.facets,P=S.scale,L=M.scale,[F,H]=u[y],se=d[P],Le=d[L];se!=null&&ti(se,pe[P],S,F,S.sorted),Le!=null&&ti(Le,pe[L],M,H,M.sorted),v.min=
M.min,v.max=M.max}}));for(let v in d){let y=d[v],S=pe[v];if(y.from==null&&(S==null||S.min==null)){let M=y.range(p,y.min==Ze?null:y.min,y.max==-Ze?null:y.max,v);
y.min=M[0],y.max=M[1]}}}for(let v in d){let y=d[v];if(y.from!=null){let S=d[y.from];if(S.min==null)y.min=y.max=null;else{let M=y.range(p,S.min,S.max,v);y.min=M[0],
y.max=M[1]}}}let h={},f=!1;for(let v in d){let y=d[v],S=G[v];if(S.min!=y.min||S.max!=y.max){S.min=y.min,S.max=y.max;let M=S.distr;S._min=M==3?Yn(S.min):M==4?Dr(
S.min,S.asinh):M==100?S.fwd(S.min):S.min,S._max=M==3?Yn(S.max):M==4?Dr(S.max,S.asinh):M==100?S.fwd(S.max):S.max,h[v]=f=!0}}if(f){q.forEach(((v,y)=>{b==2?y>0&&h.
y&&(v._paths=null):h[v.scale]&&(v._paths=null)}));for(let v in h)cs=!0,Lt("setScale",v);mt&&ne.left>=0&&(qa=jn=!0)}for(let v in pe)pe[v]=null})(),Br=!1),cs&&((function(){
let d=!1,h=0;for(;!d;){h++;let f=ph(h),v=hh(h);d=h==uh||f&&v,d||(Ad(p.width,p.height),Po=!0)}})(),cs=!1),Po){if(Pe(Y,i,et),Pe(Y,"top",Ht),Pe(Y,n,je),Pe(Y,s,K),Pe(
B,i,et),Pe(B,"top",Ht),Pe(B,n,je),Pe(B,s,K),Pe(W,n,Xn),Pe(W,s,za),O.width=Dt(Xn*$e),O.height=Dt(za*$e),be.forEach((({_el:d,_show:h,_size:f,_pos:v,side:y})=>{if(d!=
null)if(h){let S=y%2==1;Pe(d,S?"left":"top",v-(y===3||y===0?f:0)),Pe(d,S?"width":"height",f),Pe(d,S?"top":"left",S?Ht:et),Pe(d,S?"height":"width",S?K:je),Kt(d,e)}else
ft(d,e)})),Fo=ms=Gr=Vr=Yr=Zr=Xr=Qr=Kr=null,ln=1,io(!0),et!=Fa||Ht!=Qn||je!=Na||K!=In){$s(!1);let d=je/Na,h=K/In;if(mt&&!qa&&ne.left>=0){ne.left*=d,ne.top*=h,gs&&
St(gs,Dt(ne.left),0,je,K),bs&&St(bs,0,Dt(ne.top),je,K);for(let f=0;Sn.length>f;f++){let v=Sn[f];v!=null&&(hs[f]*=d,fs[f]*=h,St(v,kn(hs[f]),kn(fs[f]),je,K))}}if(st.
show&&!Lo&&st.left>=0&&st.width>0){st.left*=d,st.width*=d,st.top*=h,st.height*=h;for(let f in ci)Pe(ys,f,st[f])}Fa=et,Qn=Ht,Na=je,In=K}Lt("setSize"),Po=!1}Xn>0&&
za>0&&(_.clearRect(0,0,O.width,O.height),Lt("drawClear"),Ce.forEach((d=>d())),Lt("draw")),st.show&&Lo&&(Ho(st),Lo=!1),mt&&qa&&(Ja(null,!0,!1),qa=!1),le.show&&le.
live&&jn&&(li(),jn=!1),A||(A=!0,p.status=1,Lt("ready")),ao=!1,qo=!1}function ii(d,h){let f=G[d];if(f.from==null){if(Ut==0){let v=f.range(p,h.min,h.max,d);h.min=
v[0],h.max=v[1]}if(h.min>h.max){let v=h.min;h.min=h.max,h.max=v}if(Ut>1&&h.min!=null&&h.max!=null&&1e-16>h.max-h.min)return;d==J&&f.distr==2&&Ut>0&&(h.min=Mn(h.
min,u[0]),h.max=Mn(h.max,u[0]),h.min==h.max&&h.max++),pe[d]=h,Br=!0,xs()}}p.batch=function(d,h=!1){qo=!0,ri=h,d(p),Jd(),h&&so.length>0&&queueMicrotask(fh)},p.redraw=
(d,h)=>{cs=h||!1,d!==!1?ga(J,Z.min,Z.max):xs()},p.setScale=ii;let $a=!1,Bt=ne.drag,It=Bt.x,Pt=Bt.y;mt&&(ne.x&&(si=on("u-cursor-x",B)),ne.y&&(oi=on("u-cursor-y",
B)),Z.ori==0?(gs=si,bs=oi):(gs=oi,bs=si),at=ne.left,ct=ne.top);let st=p.select=yt({show:!0,over:!0,left:0,width:0,top:0,height:0},l.select),ys=st.show?on("u-sel\
ect",st.over?B:Y):null;function Ho(d,h){if(st.show){for(let f in d)st[f]=d[f],f in ci&&Pe(ys,f,d[f]);h!==!1&&Lt("setSelect")}}function ga(d,h,f){ii(d,{min:h,max:f})}
function Hn(d,h,f,v){h.focus!=null&&(function(y){if(y!=Ba){let S=y==null,M=qn.alpha!=1;q.forEach(((P,L)=>{if(b==1||L>0){let F=S||L==0||L==y;P._focus=S?null:F,M&&
(function(H,se){q[H].alpha=se,mt&&Sn[H]!=null&&(Sn[H].style.opacity=se),dt&&gn[H]&&(gn[H].style.opacity=se)})(L,F?1:qn.alpha)}})),Ba=y,M&&xs()}})(d),h.show!=null&&
q.forEach(((y,S)=>{0>=S||d!=S&&d!=null||(y.show=h.show,(function(M){if(q[M].show)dt&&Kt(gn[M],e);else if(dt&&ft(gn[M],e),mt){let P=ps?Sn[0]:Sn[M];P!=null&&St(P,
-10,-10,je,K)}})(S),b==2?(ga(y.facets[0].scale,null,null),ga(y.facets[1].scale,null,null)):ga(y.scale,null,null),xs())})),f!==!1&&Lt("setSeries",d,h),v&&lo("set\
Series",p,d,h)}let ea,ba,Ba;p.setSelect=Ho,p.setSeries=Hn,p.addBand=function(d,h){d.fill=Ee(d.fill||null),d.dir=ze(d.dir,-1),te.splice(h=h??te.length,0,d)},p.setBand=
function(d,h){yt(te[d],h)},p.delBand=function(d){d==null?te.length=0:te.splice(d,1)};let ks={focus:!0};function Un(d,h,f){let v=G[h];f&&(d=d/$e-(v.ori==1?Ht:et));
let y=je;v.ori==1&&(y=K,d=y-d),v.dir==-1&&(d=y-d);let S=v._min,M=S+d/y*(v._max-S),P=v.distr;return P==3?es(10,M):P==4?((L,F=1)=>fn.sinh(L)*F)(M,v.asinh):P==100?
v.bwd(M):M}function Gd(d,h){Pe(ys,i,st.left=d),Pe(ys,n,st.width=h)}function Kd(d,h){Pe(ys,"top",st.top=d),Pe(ys,s,st.height=h)}dt&&us&&nn(U,On,(d=>{ne._lock||(Ha(
d),Ba!=null&&Hn(null,ks,!0,kt.setSeries))})),p.valToIdx=d=>Mn(d,u[0]),p.posToIdx=function(d,h){return Mn(Un(d,J,h),u[0],Et,Ot)},p.posToVal=Un,p.valToPos=(d,h,f)=>G[h].
ori==0?k(d,G[h],f?Pn:je,f?Cn:0):x(d,G[h],f?Wa:K,f?rn:0),p.setCursor=(d,h,f)=>{at=d.left,ct=d.top,Ja(null,h,f)};let oo=Z.ori==0?Gd:Kd,ro=Z.ori==1?Gd:Kd;function li(d,h){
if(d!=null&&(d.idxs?d.idxs.forEach(((f,v)=>{Re[v]=f})):(f=>f===void 0)(d.idx)||Re.fill(d.idx),le.idx=Re[0]),dt&&le.live){for(let f=0;q.length>f;f++)(f>0||b==1&&
!_n)&&mh(f,Re[f]);(function(){if(dt&&le.live)for(let f=b==2?1:0;q.length>f;f++){if(f==0&&_n)continue;let v=le.values[f],y=0;for(let S in v)pa[f][y++].firstChild.
nodeValue=v[S]}})()}jn=!1,h!==!1&&Lt("setLegend")}function mh(d,h){let f,v=q[d],y=d==0&&oe==2?Ln:u[d];_n?f=v.values(p,d,h)??ha:(f=v.value(p,h==null?null:y[h],d,
h),f=f==null?ha:{_:f}),le.values[d]=f}function Ja(d,h,f){let v;Ud=at,Bd=ct,[at,ct]=ne.move(p,at,ct),ne.left=at,ne.top=ct,mt&&(gs&&St(gs,Dt(at),0,je,K),bs&&St(bs,
0,Dt(ct),je,K)),ea=Ze,ba=null;let y=Z.ori==0?je:K,S=Z.ori==1?je:K;if(0>at||Ut==0||Et>Ot){v=ne.idx=null;for(let M=0;q.length>M;M++){let P=Sn[M];P!=null&&St(P,-10,
-10,je,K)}us&&Hn(null,ks,!0,d==null&&kt.setSeries),le.live&&(Re.fill(v),jn=!0)}else{let M,P,L;b==1&&(M=Z.ori==0?at:ct,P=Un(M,J),v=ne.idx=Mn(P,u[0],Et,Ot),L=fe(u[0][v],
Z,y,0));let F=-10,H=-10,se=0,Le=0,ye=!0,ge="",ve="";for(let N=b==2?1:0;q.length>N;N++){let he=q[N],He=Re[N],vt=He==null?null:b==1?u[N][He]:u[N][1][He],ot=ne.dataIdx(
p,N,v,P),Be=ot==null?null:b==1?u[N][ot]:u[N][1][ot];if(jn=jn||Be!=vt||ot!=He,Re[N]=ot,N>0&&he.show){let Jt=ot==null?-10:ot==v?L:fe(b==1?u[0][ot]:u[N][0][ot],Z,y,
0),Zt=Be==null?-10:Fe(Be,b==1?G[he.scale]:G[he.facets[1].scale],S,0);if(us&&Be!=null){let Xt=Z.ori==1?at:ct,$t=Tt(qn.dist(p,N,ot,Zt,Xt));if(ea>$t){let bn=qn.bias;
if(bn!=0){let _t=Un(Xt,he.scale),rt=0>_t?-1:1;rt!=(0>Be?-1:1)||(rt==1?bn==1?_t>Be:Be>_t:bn==1?Be>_t:_t>Be)||(ea=$t,ba=N)}else ea=$t,ba=N}}if(jn||ps){let Xt,$t;Z.
ori==0?(Xt=Jt,$t=Zt):(Xt=Zt,$t=Jt);let bn,_t,rt,Qt,dn,Tn,ta=!0,wa=Yt.bbox;if(wa!=null){ta=!1;let vn=wa(p,N);rt=vn.left,Qt=vn.top,bn=vn.width,_t=vn.height}else rt=
Xt,Qt=$t,bn=_t=Yt.size(p,N);if(Tn=Yt.fill(p,N),dn=Yt.stroke(p,N),ps)N!=ba||ea>qn.prox||(F=rt,H=Qt,se=bn,Le=_t,ye=ta,ge=Tn,ve=dn);else{let vn=Sn[N];vn!=null&&(hs[N]=
rt,fs[N]=Qt,bl(vn,bn,_t,ta),$l(vn,Tn,dn),St(vn,kn(rt),kn(Qt),je,K))}}}}if(ps){let N=qn.prox;if(jn||(Ba==null?N>=ea:ea>N||ba!=Ba)){let he=Sn[0];he!=null&&(hs[0]=
F,fs[0]=H,bl(he,se,Le,ye),$l(he,ge,ve),St(he,kn(F),kn(H),je,K))}}}if(st.show&&$a)if(d!=null){let[M,P]=kt.scales,[L,F]=kt.match,[H,se]=d.cursor.sync.scales,Le=d.
cursor.drag;if(It=Le._x,Pt=Le._y,It||Pt){let ye,ge,ve,N,he,{left:He,top:vt,width:ot,height:Be}=d.select,Jt=d.scales[H].ori,Zt=d.posToVal,Xt=M!=null&&L(M,H),$t=P!=
null&&F(P,se);Xt&&It?(Jt==0?(ye=He,ge=ot):(ye=vt,ge=Be),ve=G[M],N=fe(Zt(ye,H),ve,y,0),he=fe(Zt(ye+ge,H),ve,y,0),oo(En(N,he),Tt(he-N))):oo(0,y),$t&&Pt?(Jt==1?(ye=
He,ge=ot):(ye=vt,ge=Be),ve=G[P],N=Fe(Zt(ye,se),ve,S,0),he=Fe(Zt(ye+ge,se),ve,S,0),ro(En(N,he),Tt(he-N))):ro(0,S)}else ui()}else{let M=Tt(Ud-qd),P=Tt(Bd-Hd);if(Z.
ori==1){let se=M;M=P,P=se}It=Bt.x&&M>=Bt.dist,Pt=Bt.y&&P>=Bt.dist;let L,F,H=Bt.uni;H!=null?It&&Pt&&(It=M>=H,Pt=P>=H,It||Pt||(P>M?Pt=!0:It=!0)):Bt.x&&Bt.y&&(It||
Pt)&&(It=Pt=!0),It&&(Z.ori==0?(L=vs,F=at):(L=ws,F=ct),oo(En(L,F),Tt(F-L)),Pt||ro(0,S)),Pt&&(Z.ori==1?(L=vs,F=at):(L=ws,F=ct),ro(En(L,F),Tt(F-L)),It||oo(0,y)),It||
Pt||(oo(0,0),ro(0,0))}if(Bt._x=It,Bt._y=Pt,d==null){if(f){if(oc!=null){let[M,P]=kt.scales;kt.values[0]=M!=null?Un(Z.ori==0?at:ct,M):null,kt.values[1]=P!=null?Un(
Z.ori==1?at:ct,P):null}lo(T,p,at,ct,je,K,v)}if(us){let M=f&&kt.setSeries,P=qn.prox;Ba==null?ea>P||Hn(ba,ks,!0,M):ea>P?Hn(null,ks,!0,M):ba!=Ba&&Hn(ba,ks,!0,M)}}jn&&
(le.idx=v,li()),h!==!1&&Lt("setCursor")}p.setLegend=li;let va=null;function io(d=!1){d?va=null:(va=B.getBoundingClientRect(),Lt("syncRect",va))}function Vd(d,h,f,v,y,S){
ne._lock||$a&&d!=null&&d.movementX==0&&d.movementY==0||(di(d,h,f,v,y,S,0,!1,d!=null),d!=null?Ja(null,!0,!0):Ja(h,!0,!1))}function di(d,h,f,v,y,S,M,P,L){if(va==null&&
io(!1),Ha(d),d!=null)f=d.clientX-va.left,v=d.clientY-va.top;else{if(0>f||0>v)return at=-10,void(ct=-10);let[F,H]=kt.scales,se=h.cursor.sync,[Le,ye]=se.values,[ge,
ve]=se.scales,[N,he]=kt.match,He=h.axes[0].side%2==1,vt=Z.ori==0?je:K,ot=Z.ori==1?je:K,Be=He?S:y,Jt=He?y:S,Zt=He?v:f,Xt=He?f:v;if(f=ge!=null?N(F,ge)?D(Le,G[F],vt,
0):-10:vt*(Zt/Be),v=ve!=null?he(H,ve)?D(ye,G[H],ot,0):-10:ot*(Xt/Jt),Z.ori==1){let $t=f;f=v,v=$t}}!L||h!=null&&h.cursor.event.type!=T||(f>1&&je-1>f||(f=Ia(f,je)),
v>1&&K-1>v||(v=Ia(v,K))),P?(qd=f,Hd=v,[vs,ws]=ne.move(p,f,v)):(at=f,ct=v)}Object.defineProperty(p,"rect",{get:()=>(va==null&&io(!1),va)});let ci={width:0,height:0,
left:0,top:0};function ui(){Ho(ci,!1)}let Yd,Zd,Xd,Qd;function ec(d,h,f,v,y,S){$a=!0,It=Pt=Bt._x=Bt._y=!1,di(d,h,f,v,y,S,0,!0,!1),d!=null&&(nn(w,an,tc,!1),lo(E,
p,vs,ws,je,K,null));let{left:M,top:P,width:L,height:F}=st;Yd=M,Zd=P,Xd=L,Qd=F}function tc(d,h,f,v,y,S){$a=Bt._x=Bt._y=!1,di(d,h,f,v,y,S,0,!1,!0);let{left:M,top:P,
width:L,height:F}=st,H=L>0||F>0,se=Yd!=M||Zd!=P||Xd!=L||Qd!=F;if(H&&se&&Ho(st),Bt.setScale&&H&&se){let Le=M,ye=L,ge=P,ve=F;if(Z.ori==1&&(Le=P,ye=F,ge=M,ve=L),It&&
ga(J,Un(Le,J),Un(Le+ye,J)),Pt)for(let N in G){let he=G[N];N!=J&&he.from==null&&he.min!=Ze&&ga(N,Un(ge+ve,N),Un(ge,N))}ui()}else ne.lock&&(ne._lock=!ne._lock,Ja(
h,!0,d!=null));d!=null&&(ds(w,an),lo(w,p,at,ct,je,K,null))}function nc(d){ne._lock||(Ha(d),ei(),ui(),d!=null&&lo(Q,p,at,ct,je,K,null))}function ac(){be.forEach(
ch),Jr(p.width,p.height,!0)}Ea(we,ht,ac);let _s={};_s.mousedown=ec,_s.mousemove=Vd,_s.mouseup=tc,_s.dblclick=nc,_s.setSeries=(d,h,f,v)=>{(f=(0,kt.match[2])(p,h,
f))!=-1&&Hn(f,v,!0,!1)},mt&&(nn(E,B,ec),nn(T,B,Vd),nn(j,B,(d=>{Ha(d),io(!1)})),nn(U,B,(function(d){if(ne._lock)return;Ha(d);let h=$a;if($a){let f,v,y=!0,S=!0,M=10;
Z.ori==0?(f=It,v=Pt):(f=Pt,v=It),f&&v&&(y=M>=at||at>=je-M,S=M>=ct||ct>=K-M),f&&y&&(at=vs>at?0:je),v&&S&&(ct=ws>ct?0:K),Ja(null,!0,!0),$a=!1}at=-10,ct=-10,Re.fill(
null),Ja(null,!0,!0),h&&($a=h)})),nn(Q,B,nc),Hr.add(p),p.syncRect=io);let Uo=p.hooks=l.hooks||{};function Lt(d,h,f){ri?so.push([d,h,f]):d in Uo&&Uo[d].forEach((v=>{
v.call(null,p,h,f)}))}(l.plugins||[]).forEach((d=>{for(let h in d.hooks)Uo[h]=(Uo[h]||[]).concat(d.hooks[h])}));let sc=(d,h,f)=>f,kt=yt({key:null,setSeries:!1,filters:{
pub:Rl,sub:Rl},scales:[J,q[1]?q[1].scale:null],match:[Al,Al,sc],values:[null,null]},ne.sync);kt.match.length==2&&kt.match.push(sc),ne.sync=kt;let oc=kt.key,pi=fd(
oc);function lo(d,h,f,v,y,S,M){kt.filters.pub(d,h,f,v,y,S,M)&&pi.pub(d,h,f,v,y,S,M)}function hi(){Lt("init",l,u),Id(u||l.data,!1),pe[J]?ii(J,pe[J]):ei(),Lo=st.show&&
(st.width>0||st.height>0),qa=jn=!0,Jr(l.width,l.height)}return pi.sub(p),p.pub=function(d,h,f,v,y,S,M){kt.filters.sub(d,h,f,v,y,S,M)&&_s[d](null,h,f,v,y,S,M)},p.
destroy=function(){pi.unsub(p),Hr.delete(p),fa.clear(),Cr(we,ht,ac),R.remove(),On?.remove(),Lt("destroy")},q.forEach(Ed),be.forEach((function(d,h){if(d._show=d.
show,d.show){let f=G[d.scale];f==null&&(d.scale=d.side%2?q[1].scale:J,f=G[d.scale]);let v=f.time;d.size=Ee(d.size),d.space=Ee(d.space),d.rotate=Ee(d.rotate),ua(
d.incrs)&&d.incrs.forEach((S=>{!ca.has(S)&&ca.set(S,El(S))})),d.incrs=Ee(d.incrs||(f.distr==2?Op:v?ce==1?Ip:zp:Pa)),d.splits=Ee(d.splits||(v&&f.distr==1?Rt:f.distr==
3?zr:f.distr==4?Bp:Up)),d.stroke=Ee(d.stroke),d.grid.stroke=Ee(d.grid.stroke),d.ticks.stroke=Ee(d.ticks.stroke),d.border.stroke=Ee(d.border.stroke);let y=d.values;
d.values=ua(y)&&!ua(y[0])?Ee(y):v?ua(y)?Yl(Me,Vl(y,lt)):Il(y)?(function(S,M){let P=Mr(M);return(L,F)=>F.map((H=>P(S(H))))})(Me,y):y||Qe:y||Hp,d.filter=Ee(d.filter||
(3>f.distr||f.log!=10?f.distr==3&&f.log==2?Vp:Dl:Kp)),d.font=Rd(d.font),d.labelFont=Rd(d.labelFont),d._size=d.size(p,null,h,0),d._space=d._rotate=d._incrs=d._found=
d._splits=d._values=null,d._size>0&&(Ua[h]=!0,d._el=on("u-axis",W))}})),$?$ instanceof HTMLElement?($.appendChild(R),hi()):$(p,hi):hi(),p}Vt.assign=yt,Vt.fmtNum=
Tr,Vt.rangeNum=Co,Vt.rangeLog=_o,Vt.rangeAsinh=jr,Vt.orient=La,Vt.pxRatio=$e,Vt.join=function(l,u){if((function(x){let D=x[0][0],A=D.length;for(let R=1;x.length>
R;R++){let O=x[R][0];if(O.length!=A)return!1;if(O!=D){for(let _=0;A>_;_++)if(O[_]!=D[_])return!1}}return!0})(l)){let x=l[0].slice();for(let D=1;l.length>D;D++)x.
push(...l[D].slice(1));return(function(D,A=100){let R=D.length;if(1>=R)return!0;let O=0,_=R-1;for(;_>=O&&D[O]==null;)O++;for(;_>=O&&D[_]==null;)_--;if(O>=_)return!0;
let W=tn(1,mn((_-O+1)/A));for(let Y=D[O],B=O+W;_>=B;B+=W){let V=D[B];if(V!=null){if(Y>=V)return!1;Y=V}}return!0})(x[0])||(x=(function(D){let A=D[0],R=A.length,O=Array(
R);for(let W=0;O.length>W;W++)O[W]=W;O.sort(((W,Y)=>A[W]-A[Y]));let _=[];for(let W=0;D.length>W;W++){let Y=D[W],B=Array(R);for(let V=0;R>V;V++)B[V]=Y[O[V]];_.push(
B)}return _})(x)),x}let $=new Set;for(let x=0;l.length>x;x++){let D=l[x][0],A=D.length;for(let R=0;A>R;R++)$.add(D[R])}let p=[Array.from($).sort(((x,D)=>x-D))],
b=p[0].length,k=new Map;for(let x=0;b>x;x++)k.set(p[0][x],x);for(let x=0;l.length>x;x++){let D=l[x],A=D[0];for(let R=1;D.length>R;R++){let O=D[R],_=Array(b).fill(
void 0),W=u?u[x][R]:1,Y=[];for(let B=0;O.length>B;B++){let V=O[B],xe=k.get(A[B]);V===null?W!=0&&(_[xe]=V,W==2&&Y.push(xe)):_[xe]=V}jp(_,Y,b),p.push(_)}}return p},
Vt.fmtDate=Mr,Vt.tzDate=function(l,u){let $;return u=="UTC"||u=="Etc/UTC"?$=new Date(+l+6e4*l.getTimezoneOffset()):u==Mp?$=l:($=new Date(l.toLocaleString("en-US",
{timeZone:u})),$.setMilliseconds(l.getMilliseconds())),$},Vt.sync=fd;{Vt.addGap=function(u,$,p){let b=u[u.length-1];b&&b[0]==$?b[1]=p:u.push([$,p])},Vt.clipGaps=
Mo;let l=Vt.paths={points:xd};l.linear=kd,l.stepped=function(u){let $=ze(u.align,1),p=ze(u.ascDesc,!1),b=ze(u.alignGaps,0),k=ze(u.extend,!1);return(x,D,A,R)=>La(
x,D,((O,_,W,Y,B,V,xe,ce,q,be,G)=>{[A,R]=ko(W,A,R);let te=O.pxRound,{left:J,width:_e}=x.bbox,Ce=Re=>te(V(Re,Y,be,ce)),De=Re=>te(xe(Re,B,G,q)),Ae=Y.ori==0?ss:os,Z={
stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:1},oe=Z.stroke,fe=Y.dir*(Y.ori==0?1:-1),Fe=De(W[fe==1?A:R]),pe=Ce(_[fe==1?A:R]),Me=pe,lt=pe;k&&$==
-1&&(lt=J,Ae(oe,lt,Fe)),Ae(oe,pe,Fe);for(let Re=fe==1?A:R;Re>=A&&R>=Re;Re+=fe){let le=W[Re];if(le==null)continue;let ne=Ce(_[Re]),dt=De(le);$==1?Ae(oe,ne,Fe):Ae(
oe,Me,dt),Ae(oe,ne,dt),Fe=dt,Me=ne}let Rt=Me;k&&$==1&&(Rt=J+_e,Ae(oe,Rt,Fe));let[Qe,qt]=Nr(x,D);if(O.fill!=null||Qe!=0){let Re=Z.fill=new Path2D(oe),le=De(O.fillTo(
x,D,O.min,O.max,Qe));Ae(Re,Rt,le),Ae(Re,lt,le)}if(!O.spanGaps){let Re=[];Re.push(...Wr(_,W,A,R,fe,Ce,b));let le=O.width*$e/2,ne=p||$==1?le:-le,dt=p||$==-1?-le:le;
Re.forEach((mt=>{mt[0]+=ne,mt[1]+=dt})),Z.gaps=Re=O.gaps(x,D,A,R,Re),Z.clip=Mo(Re,Y.ori,ce,q,be,G)}return qt!=0&&(Z.band=qt==2?[Zn(x,D,A,R,oe,-1),Zn(x,D,A,R,oe,
1)]:Zn(x,D,A,R,oe,qt)),Z}))},l.bars=function(u){let $=ze((u=u||Xs).size,[.6,Ze,1]),p=u.align||0,b=u.gap||0,k=u.radius;k=k==null?[0,0]:typeof k=="number"?[k,0]:k;
let x=Ee(k),D=1-$[0],A=ze($[1],Ze),R=ze($[2],1),O=ze(u.disp,Xs),_=ze(u.each,(()=>{})),{fill:W,stroke:Y}=O;return(B,V,xe,ce)=>La(B,V,((q,be,G,te,J,_e,Ce,De,Ae,Z,oe)=>{
let fe,Fe,pe=q.pxRound,Me=p,lt=b*$e,Rt=A*$e,Qe=R*$e;te.ori==0?[fe,Fe]=x(B,V):[Fe,fe]=x(B,V);let qt=te.dir*(te.ori==0?1:-1),Re,le,ne,dt=te.ori==0?Io:qr,mt=te.ori==
0?_:(K,et,Ht,Fa,Qn,Na,In)=>{_(K,et,Ht,Qn,Fa,In,Na)},gt=ze(B.bands,Ar).find((K=>K.series[0]==V)),On=q.fillTo(B,V,q.min,q.max,gt!=null?gt.dir:0),rs=pe(Ce(On,J,oe,
Ae)),$n=Z,bt=pe(q.width*$e),gn=!1,pa=null,_n=null,ha=null,is=null;W==null||bt!=0&&Y==null||(gn=!0,pa=W.values(B,V,xe,ce),_n=new Map,new Set(pa).forEach((K=>{K!=
null&&_n.set(K,new Path2D)})),bt>0&&(ha=Y.values(B,V,xe,ce),is=new Map,new Set(ha).forEach((K=>{K!=null&&is.set(K,new Path2D)}))));let{x0:ls,size:to}=O;if(ls!=null&&
to!=null){Me=1,be=ls.values(B,V,xe,ce),ls.unit==2&&(be=be.map((et=>B.posToVal(De+et*Z,te.key,!0))));let K=to.values(B,V,xe,ce);le=to.unit==2?K[0]*Z:_e(K[0],te,Z,
De)-_e(0,te,Z,De),$n=_d(be,G,_e,te,Z,De,$n),ne=$n-le+lt}else $n=_d(be,G,_e,te,Z,De,$n),ne=$n*D+lt,le=$n-ne;1>ne&&(ne=0),le/2>bt||(bt=0),5>ne&&(pe=Tl);let fa=ne>
0;le=pe(Rr($n-ne-(fa?bt:0),Qe,Rt)),Re=(Me==0?le/2:Me==qt?0:le)-Me*qt*((Me==0?lt/2:0)+(fa?bt/2:0));let nn={stroke:null,fill:null,clip:null,band:null,gaps:null,flags:0},
ds=gn?null:new Path2D,Xn=null;if(gt!=null)Xn=B.data[gt.series[1]];else{let{y0:K,y1:et}=O;K!=null&&et!=null&&(G=et.values(B,V,xe,ce),Xn=K.values(B,V,xe,ce))}let za=fe*
le,je=Fe*le;for(let K=qt==1?xe:ce;K>=xe&&ce>=K;K+=qt){let et=G[K];if(et==null)continue;if(Xn!=null){let rn=Xn[K]??0;if(et-rn==0)continue;rs=Ce(rn,J,oe,Ae)}let Ht=_e(
te.distr!=2||O!=null?be[K]:K,te,Z,De),Fa=Ce(ze(et,On),J,oe,Ae),Qn=pe(Ht-Re),Na=pe(tn(Fa,rs)),In=pe(En(Fa,rs)),Cn=Na-In;if(et!=null){let rn=0>et?je:za,Pn=0>et?za:
je;gn?(bt>0&&ha[K]!=null&&dt(is.get(ha[K]),Qn,In+mn(bt/2),le,tn(0,Cn-bt),rn,Pn),pa[K]!=null&&dt(_n.get(pa[K]),Qn,In+mn(bt/2),le,tn(0,Cn-bt),rn,Pn)):dt(ds,Qn,In+
mn(bt/2),le,tn(0,Cn-bt),rn,Pn),mt(B,V,K,Qn-bt/2,In,le+bt,Cn)}}return bt>0?nn.stroke=gn?is:ds:gn||(nn._fill=q.width==0?q._fill:q._stroke??q._fill,nn.width=0),nn.
fill=gn?_n:ds,nn}))},l.spline=function(u){return(function($,p){let b=ze(p?.alignGaps,0);return(k,x,D,A)=>La(k,x,((R,O,_,W,Y,B,V,xe,ce,q,be)=>{[D,A]=ko(_,D,A);let G,
te,J,_e=R.pxRound,Ce=Qe=>_e(B(Qe,W,q,xe)),De=Qe=>_e(V(Qe,Y,be,ce));W.ori==0?(G=Eo,J=ss,te=vd):(G=Oo,J=os,te=wd);let Ae=W.dir*(W.ori==0?1:-1),Z=Ce(O[Ae==1?D:A]),
oe=Z,fe=[],Fe=[];for(let Qe=Ae==1?D:A;Qe>=D&&A>=Qe;Qe+=Ae)if(_[Qe]!=null){let qt=Ce(O[Qe]);fe.push(oe=qt),Fe.push(De(_[Qe]))}let pe={stroke:$(fe,Fe,G,J,te,_e),fill:null,
clip:null,band:null,gaps:null,flags:1},Me=pe.stroke,[lt,Rt]=Nr(k,x);if(R.fill!=null||lt!=0){let Qe=pe.fill=new Path2D(Me),qt=De(R.fillTo(k,x,R.min,R.max,lt));J(
Qe,oe,qt),J(Qe,Z,qt)}if(!R.spanGaps){let Qe=[];Qe.push(...Wr(O,_,D,A,Ae,Ce,b)),pe.gaps=Qe=R.gaps(k,x,D,A,Qe),pe.clip=Mo(Qe,W.ori,xe,ce,q,be)}return Rt!=0&&(pe.band=
Rt==2?[Zn(k,x,D,A,Me,-1),Zn(k,x,D,A,Me,1)]:Zn(k,x,D,A,Me,Rt)),pe}))})(nh,u)}}return Vt})(),hr=Xh;function zs(e,t){t.style.color=`var(${e})`;let n=getComputedStyle(t).color;return t.style.color="",n}var Hi="11px system-ui, sans-serif",hu=(e,t,n=52)=>({stroke:zs(
"--ink-faint",e),font:Hi,size:n,values:t,grid:{stroke:zs("--line",e),width:1},ticks:{show:!1}}),Qh=Array.from({length:16},(e,t)=>[1,2,5].map(n=>n*10**t)).flat();
function ef(e,t,n){let{ctx:s}=e,{left:o,top:r,width:i,height:c}=e.bbox,g=m=>Math.min(Math.max(m,o),o+i);s.save();for(let m of t){let T=e.valToPos(Date.parse(m.at)/
1e3,"x",!0);if(m.kind==="outage"){let E=m.until?e.valToPos(Date.parse(m.until)/1e3,"x",!0):o+i;s.fillStyle=zs("--bad-soft",n),s.fillRect(g(T),r,Math.max(g(E)-g(
T),devicePixelRatio),c)}else T>=o&&T<=o+i&&(s.strokeStyle=zs("--ink-faint",n),s.lineWidth=devicePixelRatio,s.setLineDash([4*devicePixelRatio,3*devicePixelRatio]),
s.beginPath(),s.moveTo(T,r),s.lineTo(T,r+c),s.stroke())}s.restore()}function tf({marks:e,from:t,to:n}){let s=i=>(i.kind==="start"?Date.parse(i.at):i.until?Date.
parse(i.until):ut())/1e3,o=e.filter(i=>s(i)>=t&&Date.parse(i.at)/1e3<=n);if(o.length===0)return null;let r=Object.values(Object.groupBy(o,i=>i.kind+i.says)).sort(
(i,c)=>Date.parse(i.at(-1).at)-Date.parse(c.at(-1).at));return a`<ul class="marks small soft">${r.length>4&&a`<li>and ${z(r.length-4,"earlier event")}</li>`}${r.
slice(-4).map(i=>[i.length,i.at(-1)]).map(([i,c])=>a`<li><i class=${c.kind}></i><span class="nowrap" title=${zt(c.at)}>${cn(c.at)}</span> ${c.says}${c.kind==="o\
utage"&&(c.until?` for ${pn((Date.parse(c.until)-Date.parse(c.at))/1e3)}`:", still")}${i>1&&`; ${i===2?"once":`${C(i-1)} times`} before`}</li>`)}</ul>`}function nf(e,t){
let n=600-(t-e);return n>0&&e!=null?[e-n/2,t+n/2]:[e,t]}function Ta({data:e,lines:t,height:n=180,values:s,label:o,min:r=1,unit:i,counts:c,marks:g}){let m=At(g);
m.current=g;let T=At(null),E=At(null),w=()=>{let j=T.current;E.current?.destroy(),E.current=new hr({tzDate:U=>Dn()?hr.tzDate(new Date(U*1e3),"UTC"):new Date(U*1e3),
width:j.clientWidth,height:n,padding:[8,22,0,0],cursor:{points:{size:6},y:!1},legend:{live:!0},scales:{x:{range:(U,Q,re)=>nf(Q,re)},y:{range:(U,Q,re)=>[Math.min(
0,Q??0),Math.max(re??0,r)*1.1]}},hooks:{drawClear:[U=>ef(U,m.current??[],j)]},axes:[{...hu(j),size:46,space:70,label:Ss(),labelSize:14,labelGap:0,labelFont:Hi,values:(U,Q,re,we,ie)=>zc(
Q,ie)},{...hu(j,(U,Q)=>Q.map(s??String),i?66:52),...c?{incrs:Qh}:{},...i?{label:i,labelSize:16,labelGap:0,labelFont:Hi}:{}}],series:[{value:(U,Q)=>Q?zt(Q*1e3):""},
...t.map(([U,Q,re])=>({label:U,stroke:zs(Q,j),width:1.75,points:{show:!1},value:(we,ie)=>ie==null?"":(s??String)(ie),...re,...re?.filled?{fill:zs(re.filled,j)}:
{}}))]},e,j)};return ke(()=>{w();let j=new ResizeObserver(()=>{E.current&&T.current&&E.current.width!==T.current.clientWidth&&E.current.setSize({width:T.current.
clientWidth,height:n})});j.observe(T.current);let U=ur(w);return()=>{j.disconnect(),U(),E.current?.destroy()}},[]),ke(()=>{E.current?.setData(e)},[e]),ke(()=>{E.
current?.redraw(!1)},[g]),a`<div class="chart" ref=${T} role="img" aria-label=${o}></div>
    ${g?.length>0&&a`<${tf} marks=${g} from=${e[0][0]} to=${Math.max(e[0].at(-1)??0,ut()/1e3-60)} />`}`}var Ui=()=>hr.paths.bars({size:[.7,26],radius:.15});var af={done:"good",held:"warn",approved:"good",rejected:""},Fs=({is:e})=>a`<span class="badge ${af[e]??""}">${e}</span>`,sf={pause:"warn",resume:"good",decrease:"\
warn",increase:"good",held:"warn",notify:"warn",unknown:"",none:""},Ns=({is:e})=>a`<span class="badge ${sf[e]??""}">${e}</span>`,Ws=e=>e.from===e.to?`${e.from} ${e.
currency??""}`:`${e.from} → ${e.to} ${e.currency??""}`;function qs(e){let t=new Map;for(let n of e){let s=n.level?["",n.date,n.rule,n.action,n.wants,n.guard,n.
left,n.bidding?.field??n.reason].join(`
`):[n.date,n.campaign,n.creative,n.bidding?.field].join(`
`);t.has(s)?t.get(s).parts.push(n):t.set(s,n.level?{...n,key:s,parts:[n]}:{...n,key:s})}return[...t.values()]}var Hs=e=>e.parts&&e.bidding?e.reason.replace(/ from [\d.]+ to [\d.]+( [A-Z]{3})?/,
""):e.reason;function Da({d:e}){if(e.parts){let n=e.bidding?[`${xn[e.bidding.field]}`,`${xn[e.bidding.field]}s`]:["creative"];return a`<details><summary>${z(e.parts.
length,...n)} of ${z(new Set(e.parts.map(s=>s.campaign)).size,"campaign")}</summary>${e.parts.map(s=>a`<div key=${s.key}><${Da} d=${s} /></div>`)}</details>`}let t=a`<div class="note"><a href=${ae(
"campaigns",e.campaign)}>${e.campaign}</a></div>`;return e.bidding?a`<a class="id" href=${ae("rules","why",e.campaign)}>${xn[e.bidding.field]}</a>${(e.action!==
"unknown"||e.bidding.from>0)&&a`<div class="note">${Ws(e.bidding)}</div>`}${t}`:a`<a class="id" href=${ae("rules","why",e.creative)}>${e.creative}</a>${t}`}var of=[
"pause","resume","decrease","increase","held","notify","unknown","none"],fu={pause:["pause"],resume:["resume"],decrease:["decrease"],increase:["increase"],notify:[
"notice"],none:["unchanged","unchanged"]},go=e=>["pause","resume","decrease","increase"].reduce((t,n)=>t+(e.counts?.[n]??0),0),bo=e=>e.warnings?.some(t=>t.code===
"stopped");function Ra(e,t){let{counts:n,state:s,leftOut:o}=e,r=o?.length??0,i=As(e)-r,c=s!=="done"&&(i!==n?.held||go(e)>0)?` (${C(i)} ${s==="held"?`${i===1?"wa\
its":"wait"} for approval`:s}${r?`, ${C(r)} dropped`:""})`:"",g=of.filter(m=>n?.[m]&&(t||m!=="none")).map(m=>fu[m]?z(n[m],...fu[m]):`${C(n[m])} ${m}${m==="held"?
c:""}`);return bo(e)&&g.push("held back by the stop switch"),g.length?g.join(", "):"nothing to do"}var fr=e=>`would ${e.wants}${e.left?", left out of the approv\
al":Fi[e.guard]?`, held by ${Fi[e.guard]}`:""}`;function mu(e){let t=e.decision,n=t.bidding?`the ${xn[t.bidding.field]}`:"it";return t.action==="unknown"?"could\
 not decide":t.action==="none"?t.guard==="hands_off"?`left ${n} alone`:`did not change ${n}`:t.action==="notify"?`would ${t.wants} ${n}, but only notifies`:t.action!==
"held"?`decided to ${t.action} ${n}`:t.left?`wanted to ${t.wants} ${n}, and ${e.by||"somebody"} approved the run without that`:_a(t)&&e.state==="held"?`wants to\
 ${t.wants} ${n}, and waits for approval`:_a(t)&&e.state==="rejected"?`wanted to ${t.wants} ${n}, and ${e.by||"somebody"} rejected that`:`wanted to ${t.wants} ${n}\
, but did not`}function Za({metrics:e}){let t=Object.entries(e??{});return t.length?a`<div class="small">${t.map(([n,s])=>a`<span class="tag">${n} ${un(s)}</span> `)}</div>`:
null}function Us({p:e}){return e?a` <span class="badge warn">paused</span><div class="note warn-ink">paused by ${e.by} <${ee} at=${e.at} />${e.reason&&`: ${e.reason}`}</div>`:
null}var rf=new Intl.Collator("en",{numeric:!0}),lf=(e,t)=>typeof e=="number"?e-t:rf.compare(e,t);function $u(e,t,n){let[,s,o]=/^(-?)(.*)$/.exec(Rn().params[n]??""),
r=e.find(c=>c.key===o&&c.value);return[en(()=>{if(!r)return t;let c=t.filter(g=>r.value(g)!=null).sort((g,m)=>lf(r.value(g),r.value(m)));return[...s?c.reverse():
c,...t.filter(g=>r.value(g)==null)]},[t,o,s]),e.map(c=>a`<${df} key=${c.key} c=${c} name=${n} way=${c===r?s?"descending":"ascending":"none"} />`)]}function df({
c:e,name:t,way:n}){if(!e.value)return a`<th class=${e.num?"num":""} title=${e.meaning}>${e.title}</th>`;let s={none:e.num?"-"+e.key:e.key,descending:e.num?e.key:
"",ascending:e.num?"":"-"+e.key}[n];return a`<th class=${e.num?"num":""} aria-sort=${n}><button class="sort" title=${e.meaning??"Sort by this column"} onClick=${()=>tt(
{[t]:s})}>${e.title}<span aria-hidden="true">${{none:"",ascending:" ▲",descending:" ▼"}[n]}</span></button></th>`}function Bs({columns:e,rows:t,id:n,href:s,
label:o}){let[r,i]=$u(e,t,"sort");return a`<table class="cards" aria-label=${o}><thead><tr>${i}</tr></thead><tbody>
    ${r.map(c=>a`<tr key=${n(c)} data-href=${s?.(c)}>${e.map(g=>a`<td class=${`${g.num?"num":""} ${g.look??""}`} data-name=${g.card===!1?void 0:g.title}>${g.cell(
c)}</td>`)}</tr>`)}</tbody></table>`}var cf=e=>typeof e=="string"&&e.toLowerCase().replace(/[^a-z0-9]+/g,"-");function it({columns:e,rows:t,name:n="sort",look:s="\
cards",first:o,children:r}){let[i,c]=$u(e.map(([g,m,T,E])=>({key:cf(g),title:g,value:m,num:T,meaning:E})),t,n);return a`<table class=${s}><thead><tr>${o}${c}</tr></thead><tbody>${i.
map(r)}</tbody></table>`}var mr=e=>e.replace(/^segment /,"Segment ").replace(/^target /,"Devices of "),Mt=e=>e.name?`${e.name} (${e.target.replace(/^segment /,"")})`:mr(e.target),Bi=({c:e})=>e?
a`<span class="nowrap"><span class="good-ink">+${C(e.added)}</span> <span class=${e.large?"bad-ink":e.removed?"":"faint"}>−${C(e.removed)}</span></span>`:a`<span class="faint none">–</span>`,
Ji=e=>/^\d/.test(e.every)?`every ${e.every.replace(/(\d)([a-z])/g,"$1 $2")}`:e.every,vo=e=>e==="failed"||e==="cancelled";function Gi({f:e}){return e?e.paused?a`<span class="badge warn">paused</span>`:
e.held?a`<span class="badge warn">export held</span>`:e.blind?a`<span class="badge bad">blind</span> <span class="small"><${Ya} at=${e.blind} /></span>`:e.late?
a`<span class="badge bad">late</span> <span class="small"><${Ya} at=${e.late} /></span>`:vo(e.jobState)?a`<span class="badge ${e.jobState==="failed"?"bad":"warn"}">last job ${e.
jobState}</span>`:e.next?a`next export <${ee} at=${e.next} />`:a`<span class="soft">looks ${Ji(e)}</span>`:a`<span class="faint">no feed</span>`}var uf=[{key:"n\
ame",title:"Audience",card:!1,value:e=>Mt(e),cell:e=>a`<a class="id" href=${ae("audiences",e.target)}>${Mt(e)}</a>${e.problems.slice(0,2).map(t=>a`<div class="note ${t.
level==="bad"?"bad-ink":""}"><${xt} text=${t.says} /></div>`)}`},{key:"size",title:"Ids",num:!0,value:e=>e.size,meaning:We.ids,cell:e=>e.size===null?a`<span class="faint">not known</span>`:
a`<b>${C(e.size)}</b><div class="note">${e.sizeOf==="ledger"?"in the ledger":"on the platform"}</div>`},{key:"change",title:"Last change",num:!0,meaning:We.change,
value:e=>e.last&&Date.parse(e.last.at),cell:e=>a`<${Bi} c=${e.last} />${e.last&&a`<div class="note"><${ee} at=${e.last.at} /></div>`}`},{key:"expiry",title:"Exp\
iry",num:!0,value:e=>e.expiry,meaning:"Days after which a member leaves the segment unless it is uploaded again",cell:e=>e.expiry?z(e.expiry,"day"):a`<span class="faint none">–</span>`},
{key:"feed",title:"Feed",value:e=>e.feed?.name,cell:e=>a`<div>${e.feed&&a`<b>${e.feed.name}</b> `}<${Gi} f=${e.feed} /></div>`},{key:"ledger",title:"Ledger from",
num:!0,value:e=>e.ledger&&Date.parse(e.ledger.at),meaning:"When the last mirror has set what usher knows of its ids",cell:e=>e.ledger?a`<${ee} at=${e.ledger.at} />${e.
ledger.changed&&a`<div class="note">changed since</div>`}`:a`<span class="faint">none</span>`},{key:"open",title:"Open jobs",num:!0,value:e=>e.open,meaning:We.open,
cell:e=>e.open?C(e.open):a`<span class="faint">0</span>`}];function gu({params:e}){let t=me("/api/audiences",["audiences","letters"]);return a`<${Ge} title="Audiences" acts=${a`<a class="button" href="#/audiences/overlap">Overlaps</a>`} sub="The segments and device lists that jobs and feeds fill: how large they are, what changed last, and what is wrong.">
    <${pt} result=${t}>${({audiences:n,looking:s})=>{let o=n.filter(c=>c.problems.length>0),r=(e.text??"").toLowerCase(),i=(e.only==="problems"?o:n).filter(c=>`${Mt(
c)} ${mr(c.target)} ${c.feed?.name??""}`.toLowerCase().includes(r));return a`<div class="filters"><${An} label="Search audience or feed …" value=${e.text} onText=${c=>tt(
{text:c})} />
        <${ja} label="Which" value=${e.only} onPick=${c=>tt({only:c})} options=${[["","All",Os(n.length,s)],["problems","With problems",o.length]]} /></div>
        <${X} flush>${i.length===0?a`<${Te} title=${s?"No audience found so far":n.length?"No audience matches":"No audiences yet"}>${s?"Older jobs are being re\
ad.":n.length?"Remove a filter to see others.":"A segment appears here with its first job or feed."}<//>`:a`<${Bs} label="Audiences" columns=${uf} rows=${i} params=${e} id=${c=>c.
target} href=${c=>ae("audiences",c.target)} /><div class="foot">${z(i.length,"audience")}</div>`}<${Es} l=${s} /><//>`}}<//>
  <//>`}var $r=[["accepted","Accepted"],["unchanged","Unchanged"],["duplicate","Duplicate"],["suppressed","Suppressed"],["withheld","Withheld"],["junk","Junk"],["invali\
d","Invalid"],["refused","Refused"]],Aa=e=>typeof e=="number"?e:Object.values(e??{}).reduce((t,n)=>t+n,0);function pf({tally:e}){let t=e.read||1,n=$r.filter(([s])=>Aa(
e[s])).map(([s,o])=>`${o.toLowerCase()} ${C(Aa(e[s]))}`).join(", ");return a`<div class="bar" role="img" aria-label=${n||"no rows yet"}>
    ${$r.map(([s])=>Aa(e[s])>0&&a`<i class="c-${s}" style=${{flexGrow:Aa(e[s])/t}}></i>`)}
  </div>`}function bu({tally:e,dryRun:t}){let n=$r.reduce((s,[o])=>s+Aa(e[o]),0);return a`<${pf} tally=${e} />
    <div class="legend">
      ${$r.filter(([s])=>s==="accepted"||Aa(e[s])>0).map(([s,o])=>a`<div class="key" key=${s}>
        <i class="c-${s}"></i><span>${s==="accepted"&&t?"Would be sent":o}</span><b>${C(Aa(e[s]))}</b>
        ${typeof e[s]=="object"&&Aa(e[s])>0&&a`<div class="reasons">
          ${Object.entries(e[s]).sort((r,i)=>i[1]-r[1]).map(([r,i])=>a`<span>${ra(r)}<span>${C(i)}</span></span>`)}</div>`}
      </div>`)}
    </div>
    <div class="sum"><span class="soft">Sum of all columns</span>
      <span><b>${C(n)}</b> ${n===e.read?a`<span class="good-ink">= ${z(e.read,"row")} read</span>`:a`<span class="bad-ink">but ${z(e.read,"row")} read: please report this</span>`}</span></div>`}var hf={queued:"queued",running:"running",retrying:"waiting for the next attempt"},Ki=e=>["done","failed","cancelled"].includes(e);function ff(e,t,n){let s=new Map;
for(let o of t)s.has(o.run)||s.set(o.run,[]),s.get(o.run).push(o);return[...s].map(([o,r])=>{let i=r.map(E=>({state:E.state,at:Date.parse(E.at)}));o===1&&Date.parse(
e.submitted)<i[0].at&&i.unshift({state:"queued",at:Date.parse(e.submitted)});let c=i.at(-1),g=Ki(c.state)?c.at:Math.max(n,c.at),m=0,T=i.filter(E=>!Ki(E.state)).
map((E,w)=>(E.state==="running"&&i[w-1]?.state!=="running"&&m++,{...E,attempt:m,long:((i[w+1]?.at??g)-E.at)/1e3}));return{run:o,phases:mf(T),from:i[0].at,to:g,end:Ki(
c.state)?c.state:""}})}function mf(e){let t=[];for(let n of e){let s=t.at(-1);s?.state===n.state?s.long+=n.long:t.push({...n})}return t}var Vi=e=>hf[e.state]+(e.
state==="running"&&e.attempt>1?`, attempt ${C(e.attempt)}`:"");function $f({r:{run:e,phases:t,from:n,to:s,end:o},many:r}){let i=Math.max((s-n)/1e3,.001),c=t.map(
g=>`${Vi(g)} ${pn(g.long)}`).join(", then ");return a`<figure class="run">${r&&a`<figcaption class="small strong">Run ${C(e)}</figcaption>`}
    <div class="phases" role="img" aria-label=${`${c}${o?`; ended ${o}`:""}`}>${t.map((g,m)=>a`<i key=${m} class=${g.state} style=${{flexGrow:Math.max(g.long/i,
.01)}} title=${`${Vi(g)}: ${pn(g.long)}`}></i>`)}${o&&a`<b class=${Wi(o)}></b>`}</div>
    <div class="ends small faint"><span title=${zt(n)}>${cn(n)}</span><span>${o||"now"} after ${pn(i)}</span></div>
    <ul class="small soft">${t.slice(0,12).map(g=>a`<li><i class="dot ${g.state}"></i>${Vi(g)} <b>${pn(g.long)}</b></li>`)}${t.length>12&&a`<li>and ${C(t.length-
12)} more phases</li>`}</ul></figure>`}function vu({r:e,history:t}){let n=Ms(),s=t.length?t:[{state:e.state,at:e.submitted,run:e.run}],o=ff(e,s,n),r=s.filter(i=>i.
error).slice(-5);return a`<${X} title="Timeline">
    ${o.slice(-6).map(i=>a`<${$f} key=${i.run} r=${i} many=${o.length>1||i.run>1} />`)}
    ${o.length>6&&a`<p class="small faint">${C(o.length-6)} earlier runs are not shown</p>`}
    ${r.map(i=>a`<div class="small break"><span class="bad-ink" title=${i.error.class}>${Ft(i.error.class)}</span> <${ee} at=${i.at} /></div>`)}<//>`}var gf=["source.column","source.only","source.disregard","input","source.delimiter","source.encoding","maxRejectPercent"],Yi=["force","acceptChange","dryRun"];function Js(e,t=""){
return Object.entries(e??{}).flatMap(([n,s])=>s&&typeof s=="object"&&!Array.isArray(s)?Js(s,t+n+"."):[[t+n,s]])}var da=e=>e===void 0?"not set":e===!0?"yes":e===
!1?"no":Array.isArray(e)?e.map(da).join(", "):typeof e=="object"&&e?Js(e).map(([t,n])=>`${t} ${da(n)}`).join(", "):String(e),wu=(e,t)=>t.split(".").reduce((n,s)=>n?.[s],
e);function bf(e,t){let n=/(?:--set |--)?(source\.\w+)/.exec(e.hint??"")?.[1];return n||(e.class==="not_found"?t.find(s=>s==="segment"||s==="campaign")??"":Fn[e.
class]?.field?Fn[e.class].field:t.find(s=>e.class==="invalid_job"&&e.message?.includes("/"+s.replaceAll(".","/")))??"")}function Xa({cause:e,filter:t,onClose:n,
onDone:s=()=>{}}){let[o,r]=I(null),[i,c]=I(""),[g,m]=I(""),[T,E]=I(""),[w,j]=I(!1),[U,Q]=I(""),[re,we]=I(null),[ie,Ye]=I(""),[an,ht]=I(!1),[de,$e]=I(!1),Wt=i===
"acceptChange"&&/"force": true, which removes ([\d,]+ of the members)/.exec(e.hint??"")?.[1],ft=i&&g.trim()?{[i]:g.trim(),...Wt&&de?{force:"true"}:{}}:{};ke(()=>{
let qe=!1;return Ie("/api/letters/plan",{filter:t}).then(St=>{if(qe)return;r(St);let Wn=bf(e,xu(St,e));c(Wn),m(Wn&&Wn===Fn[e.class]?.field?Fn[e.class].value??"":
"")},St=>qe||Ye(St.message)),()=>{qe=!0}},[]),ke(()=>{i&&document.querySelector("dialog[open] [data-first]")?.focus()},[o]),ke(()=>{if(!o)return;if(!Object.keys(
ft).length&&!w){we(i?null:o);return}if(we(null),i&&!Object.keys(ft).length)return;let qe=!1,St=setTimeout(()=>Ie("/api/letters/plan",{filter:{...t,through:o.through},
set:ft,force:w}).then(Wn=>qe||(we(Wn),Ye("")),Wn=>qe||Ye(Wn.message)),250);return()=>{qe=!0,clearTimeout(St)}},[o,i,g,de,w]);let Kt=async()=>{await Ie("/api/let\
ters/replay",{filter:{...t,through:o.through},set:ft,force:w,rate:Number(U)||0,reason:T.trim()||wf(e,ft)}),Ve(`${z(re.count,"job")} will be ${i?"changed and ":""}\
replayed: the progress is on this page`),s()},Pe=o?xu(o,e):[],sn=i?"Fix and replay":"Replay",on=o&&(o.newer||w);return a`<${Ke} title="Fix and replay" wide act=${re?
`${sn} ${z(re.count,"job")}`:sn} ready=${re?.count>0&&(!i||re.changed>0)} onAct=${Kt} onClose=${n}>
    <${ue} level="bad" says=${e.class?a`${Ft(e.class)}: <${xt} text=${e.message} />`:e.message} hint=${e.hint} of=${e.class} />
    ${ie&&a`<${hn} says=${ie} />`}
    ${!o&&!ie&&a`<${yn} />`}
    ${o&&a`
      <div class="pair"><${Oe} name="What to change"><select value=${i} onChange=${qe=>{c(qe.target.value),m("")}}>
          <option value="" selected=${i===""}>Nothing: it is repaired elsewhere</option>
          ${Pe.map(qe=>a`<option value=${qe} selected=${qe===i}>${Ka(qe)}</option>`)}</select><//>
        ${i&&a`<${Oe} name="New value">${Yi.includes(i)?a`<select value=${g} onChange=${qe=>m(qe.target.value)} data-first key=${i}>${[["","Choose …"],["true",
"yes"],["false","no"]].map(([qe,St])=>a`<option value=${qe} selected=${qe===g}>${St}</option>`)}</select>`:a`<input type="text" value=${g} onInput=${qe=>m(qe.target.
value)} data-first autofocus key=${i} />`}<//>`}</div>
      ${Wt&&a`<label class="check"><input type="checkbox" checked=${de} onChange=${qe=>$e(qe.target.checked)} /><span>Also remove ${Wt}, which is more than is allowed: otherwise the job fails again</span></label>`}
      <${xf} plan=${re??o} field=${i} value=${g.trim()} />
      ${re?a`<${yf} plan=${re} field=${i} rate=${Number(U)} />`:i&&g.trim()&&!ie?a`<${yn} />`:null}
      <${kf} plan=${re??o} />
      ${on&&a`<label class="check"><input type="checkbox" checked=${w} onChange=${qe=>j(qe.target.checked)} /><span>Replay also what a newer job has superseded: it undoes what that job did</span></label>
        ${!w&&a`<div><button type="button" class="danger small" onClick=${()=>ht(!0)}>Let them go …</button> <span class="small soft">discards what a newer job has superseded</span></div>`}`}`}
    <${Oe} name="Reason" hint=${`Recorded in the audit with your name, ${Ne.user}. May be left empty.`}><input type="text" maxlength="1000" value=${T} onInput=${qe=>E(
qe.target.value)} /><//>
    <details class="small"><summary>Pace</summary><${Oe} name="Jobs a second" hint="Empty: as fast as the limits allow."><input type="number" min="0" step="any" inputmode="decimal" placeholder="no limit" value=${U} onInput=${qe=>Q(
qe.target.value)} /><//></details>
  <//>
  ${an&&a`<${vf} plan=${o} filter=${{...t,through:o.through}} onClose=${()=>ht(!1)} onDone=${()=>{n(),s()}} />`}`}function vf({plan:e,filter:t,onClose:n,onDone:s}){
let[o,r]=I("superseded by a newer job"),i=async()=>{let{discarded:c}=await Ie("/api/letters/discard",{filter:t,superseded:!0,reason:o});Ve(`${z(c,"letter")} let\
 go`),s()};return a`<${Ke} title="Let go what newer jobs have superseded?" act="Let them go" danger ready=${o.trim()} onAct=${i} onClose=${n}>
    <p><b>${z(e.newer,"letter")}</b> will be discarded for good, and the other letters stay. What the newer jobs did stays as it is.</p>
    <div><${yu} list=${e.reasons.filter(c=>c.newer)} all=${e.newer} left=${e.left} /></div>
    <${Oe} name="Reason" hint=${`Recorded in the audit with your name, ${Ne.user}.`}><input type="text" required maxlength="1000" value=${o} onInput=${c=>r(c.target.
value)} data-first /><//>
  <//>`}function xu(e,t){let n=e.sample[0]?.before,s=Js(n).map(([r])=>r).filter(r=>!["id","v","source.ids"].includes(r)),o=Fn[t.class]?.field;return[...new Set(
[...s,...n?.source?gf:[],...o?[o]:[]])]}var wf=(e,t)=>`${Object.entries(t).map(([s,o])=>`${Ka(s)} set to ${Yi.includes(s)?da(o==="true"):o}`).join(", ")||"repai\
red elsewhere"}: ${e.message}`.slice(0,300);function xf({plan:e,field:t,value:n}){return e.sample.length===0?null:a`<table class="cards diff"><thead><tr><th>Sample</th>${t?
a`<th>Now</th><th>Then</th>`:a`<th>Job</th>`}</tr></thead><tbody>
    ${e.sample.map(s=>a`<tr key=${s.seq}><td class="break">${s.id??`letter ${s.seq}`}</td>
      ${t?a`<td class="break" data-name="Now"><del>${da(wu(s.before,t))}</del></td><td class="break" data-name="Then">${n?a`<ins>${s.fields.length?da(wu(s.after,
t)):Yi.includes(t)?da(n==="true"):n}</ins>`:a`<span class="faint">type the new value</span>`}</td>`:a`<td class="break whole small soft">${Js(s.before).filter(([
o])=>!["id","v"].includes(o)).slice(0,5).map(([o,r])=>`${Ka(o)} ${da(r)}`).join(", ")}</td>`}</tr>`)}</tbody></table>`}function yf({plan:e,field:t,rate:n}){if(!e.
count&&!e.skipped&&!e.refused)return a`<${ue} says="No dead letter is left: it was replayed or discarded." />`;let s=Math.max(e.seconds,n>0?e.count/n:0);return a`<p><b>${z(
e.count,"job")}</b> will be ${t?"changed and published again":"published again as they are"}${s>10?`; this takes at least ${pn(s)}`:""}. Uploads continue where they stopped${t?
", unless what they read changes":""}.</p>
    ${e.refused>0&&a`<${ue} level="warn" says=${`${z(e.refused,"letter")} stay as they are: this value is not possible there`} hint=${a`<${Nt} text=${e.says} />`} />`}`}
function kf({plan:e}){return e.skipped>0&&a`<${ue} level="warn" says=${`${z(e.skipped,"letter")} skipped`}><${yu} list=${e.reasons} all=${e.skipped} left=${e.left} /><//>`}
function yu({list:e,all:t,left:n}){let s=e.slice(0,4),o=t-s.reduce((r,i)=>r+i.count,0);return a`${s.map(r=>a`<div class="small break"><b>${C(r.count)}</b>: <${Nt} text=${r.
why} />${r.count===1&&n.some(i=>i.why===r.why)&&a` (${n.find(i=>i.why===r.why).id??"no id"})`}</div>`)}
    ${o>0&&a`<div class="small">and ${z(o,"letter")} for other reasons</div>`}`}var Ma=e=>JSON.stringify(e).slice(1,-1).replaceAll('\\"','"'),_f={",":"comma",";":"semicolon","	":"tab","|":"bar"," ":"space"};function Cf(e){let[t,n]=[e.slice(
0,e.indexOf(":")),e.slice(e.indexOf(":")+1)];return t==="except"?a`members of <a href=${ae("audiences",n.replace("campaign/","target ").replace("/"," "))}>${n}</a>`:
`held out by the key “${n}”`}function ku(e){let{column:t}=e,n=["parquet","avro","xlsx"].includes(e.format)?"":`, ${e.encoding}`,s=["csv","xlsx"].includes(e.
format),o=s&&t.number>0,r=e.format==="text"?"every line":"every value",i=e.files>1?`, ${z(e.files,"file")}`:"";return a`<dt>Format</dt><dd>${e.format}${n}${e.compression===
"none"?"":`, ${e.compression}`}${i}</dd>
    ${e.sheet&&a`<dt>Sheet</dt><dd>${Ma(e.sheet)}</dd>`}
    ${e.delimiter&&a`<dt>Delimiter</dt><dd>${_f[e.delimiter]??a`<code>${Ma(e.delimiter)}</code>`}</dd>`}
    ${e.quote&&a`<dt>Quotes</dt><dd>${e.quote}, escape ${e.escape}</dd>`}
    ${e.skip!==0&&a`<dt>Skipped</dt><dd>${typeof e.skip=="number"?`the first ${z(e.skip,"line")}`:a`lines that begin with <code>${Ma(e.skip)}</code>`}</dd>`}
    ${(s||e.format==="text")&&a`<dt>Header</dt><dd>${e.header?"yes":"no"}</dd>`}
    <dt>Ids in</dt><dd>${t.name&&a`<b>${Ma(t.name)}</b>`}${t.name&&o?", ":""}${o&&`column ${C(t.number)}`}${e.format==="text"&&t.name?", ":""}${e.format==="text"||
!t.name&&!o?r:""}
      ${t.why&&a`<div class="faint small"><${Nt} text=${t.why} /></div>`}</dd>
    ${e.typeColumn&&a`<dt>Types in</dt><dd>${Ma(e.typeColumn)}</dd>`}
    ${e.withheld?.map(c=>a`<dt>Left out</dt><dd>${z(c.count,"id")}: ${Cf(c.reason)}${c.at&&a`<div class="note">as of its generation ${C(c.generation)}, <${ee} at=${c.
at} /></div>`}</dd>`)}
`}var _u=({u:e})=>a`<${X} title="How the export was read"><dl class="facts">${ku(e)}</dl><//>`,jf={idfa:"IDFA",aaid:"AAID",android_id:"ANDROID_ID",md5:"MD5 hash\
es"};function Cu({m:e}){if(!e)return null;let{beside:t={}}=e.understood,n=Object.entries(e.dropped).sort();return a`<${X} title="Last good export"><p class="soft small">The next export is compared with it. If it is read in another way, or more of its rows have no usable id, nothing is sent before somebody approves it.</p>
    <dl class="facts">
      <dt>By job</dt><dd class="break"><a href=${ae("jobs",e.job)}>${e.job}</a></dd>
      <dt>Since</dt><dd><${ee} at=${e.at} />${e.approvedBy&&`, approved by ${e.approvedBy}`}</dd>
      ${e.began&&a`<dt>New memory</dt><dd>${e.began}</dd>`}
      <dt>Rows</dt><dd>${C(e.rows)}</dd>
      ${ku(e.understood)}
      ${e.understood.kind&&a`<dt>Kind of ids</dt><dd>${jf[e.understood.kind]??e.understood.kind}</dd>`}
      ${t.typeValues&&a`<dt>Types</dt><dd>${t.typeValues.map(Ma).join(", ")}</dd>`}
      ${t.columns&&a`<dt>Beside</dt><dd class="break">${t.columns.map(Ma).join(", ")}</dd>`}
      ${n.length>0&&a`<dt>Left out</dt><dd>${n.map(([s,o])=>a`<div>${s.startsWith("withheld.")?Ma(s.replace("."," by ")):ra(s.replace(/^(junk|invalid)\./,""))} ${(100*
o/e.rows).toFixed(1)} %</div>`)}</dd>`}
    </dl><//>`}var Zi=e=>["done","failed","cancelled"].includes(e);function ju(e){let t=me("/api/jobs/"+encodeURIComponent(e),["job "+e]),[n,s]=I(""),o=t.data?.record,r=o?.state===
"failed"&&Je("operator")&&(()=>s("fix")),i=o&&a`<${Va} is=${o.state} /> <${Nn} kind=${o.kind} target=${t.data.target} name=${o.targetName} />${o.run>1?` · run ${o.
run}`:""}`,c=o&&a`
    ${r&&a`<button class="primary" onClick=${r}>Fix and replay …</button>`}
    ${o.state==="failed"&&a`<a class="button" href=${"#/letters"+Se({id:e})}>Dead letter</a>`}
    ${!Zi(o.state)&&Je("operator")&&a`<button class="danger" onClick=${()=>s("cancel")}>Cancel job</button>`}`,g=a`<${pt} result=${t}>${m=>a`<${Sf} page=${m} onFix=${r} />`}<//>
    ${n==="cancel"&&a`<${Xi} ids=${[e]} onClose=${()=>s("")} onDone=${t.reload} />`}
    ${n==="fix"&&a`<${Xa} cause=${{...o.error,count:1}} filter=${{id:e}} onClose=${()=>s("")} onDone=${t.reload} />`}`;return{sub:i,acts:c,body:g}}function Su({
id:e}){let{sub:t,acts:n,body:s}=ju(e);return a`<${Ge} title=${e} crumb=${a`<a href="#/jobs">Jobs</a>`} sub=${t} acts=${n}>${s}<//>`}function Tu({id:e,onClose:t}){
let{sub:n,acts:s,body:o}=ju(e),r=At(null);return ke(()=>{r.current?.focus({preventScroll:!0});let i=c=>{c.key==="Escape"&&!document.querySelector("dialog[open]")&&
t()};return window.addEventListener("keydown",i),()=>{window.removeEventListener("keydown",i),document.querySelector(`a.id[href$="job=${CSS.escape(encodeURIComponent(
e))}"]`)?.focus({preventScroll:!0})}},[]),a`<aside class="drawer" aria-label=${`Job ${e}`}>
    <div class="head"><div class="title"><h2 tabindex="-1" ref=${r}>${e}</h2><div class="sub">${n}</div></div>
      <div class="acts">${s}<a class="button" href=${ae("jobs",e)}>Open page</a><button class="bare" onClick=${t} aria-label="Close the job">✕</button></div></div>
    <div class="stack">${o}</div></aside>`}function Xi({ids:e,onClose:t,onDone:n}){let[s,o]=I(""),r=e.length===1?"Cancel this job?":`Cancel ${z(e.length,"job")}\
?`,i=async()=>{if(e.length===1)await Ie(`/api/jobs/${encodeURIComponent(e[0])}/cancel`,{reason:s}),Ve(`Job ${e[0]} is cancelled`);else{let{cancelled:c,left:g}=await Ie(
"/api/jobs/cancel",{ids:e,reason:s});Ve(`${z(c,"job")} cancelled${g.length?`; ${C(g.length)} not: ${g[0].why}`:""}`,g.length>0)}n()};return a`<${Ke} title=${r} act=${e.
length===1?"Cancel job":`Cancel ${z(e.length,"job")}`} dismiss=${e.length===1?"Keep job":"Keep jobs"} danger onClose=${t} onAct=${i}>
    <p>Requests in flight are aborted within ten seconds. Ids that the platform has accepted stay there. A cancelled job leaves no dead letter.</p>
    <${Oe} name="Reason" hint="Recorded in the audit with your name."><input type="text" maxlength="1000" value=${s} onInput=${c=>o(c.target.value)} data-first /><//><//>`}
function Sf({page:e,onFix:t}){let n=e.record,s=n.job??{},o=la({...n,accepted:n.tally.accepted,dryRun:s.dryRun});return a`
    ${n.consequence&&a`<${ue} level=${n.consequence.large?"bad":""} says=${a`<span class="named">${Kn(e.target,n.targetName)}: ${o}</span>`} hint=${n.consequence.
large?Tf(n.consequence,s):""} />`}
    ${n.error&&a`<${ue} level="bad" says=${a`<span title=${n.error.class}>${Ft(n.error.class)}</span>: <${xt} text=${n.error.message} />`} hint=${n.error.hint} of=${n.
error.class} onFix=${t} />`}
    ${n.why&&!Zi(n.state)&&a`<${ue} level=${n.state==="running"?"":"warn"} says=${n.why} hint=${{queued:"The job has not started for this reason.",retrying:"The\
 job waits for this before its next attempt."}[n.state]}>${n.waitsFor?.job&&a`<div class="hint">Job <a class="id" href=${ae("jobs",n.waitsFor.job)}>${n.waitsFor.
job}</a> comes first.</div>`}<//>`}
    <div class="grid two-one">
      <div class="stack">
        ${e.parts?.length||n.parts.total>1?a`<${Af} r=${n} parts=${e.parts??[]} />`:null}
        ${(n.tally.read>0||Df(n))&&a`<${X} title="Where every row went" side=${s.dryRun&&a`<span class="tag">dry run</span>`}><${bu} tally=${n.tally} dryRun=${s.
dryRun} /><//>`}
        ${n.warnings.length>0&&a`<${X} title="Warnings" flush><${it} name="warnings" rows=${n.warnings} columns=${[["What",r=>r.description],["Times",r=>r.count,
!0]]}>${r=>a`<tr><td class="break whole" title=${r.code}><${xt} text=${r.description} /></td><td class="num" data-name="Times">${C(r.count)}</td></tr>`}<//><//>`}
        ${n.samples.length>0&&a`<${Rf} all=${n.samples} />`}
        <${X}><details><summary>The job as it was published</summary><pre class="block">${JSON.stringify(s,null,2)}</pre></details><//>
      </div>
      <div class="stack"><${Mf} r=${n} target=${e.target} />${n.understood&&a`<${_u} u=${n.understood} />`}<${vu} r=${n} history=${e.history} /></div>
    </div>`}function Tf({added:e,removed:t,now:n},s){let o=Math.floor(1e3*t/(n-e+t))/10,r=s.maxRemovePercent??20;return`It ${s.dryRun?"would remove":"has remove\
d"} ${o} % of the members${o>r?`. Without force, it may remove ${r} %`:`, more than half of the ${r} % that it may remove`}. If that is not right, usher ledger \
rollback brings back the generation before.`}var Df=e=>["segment.add","segment.remove","segment.mirror","target.add","target.replace","target.mirror"].includes(
e.kind)&&Zi(e.state)&&e.state==="done";function Rf({all:e}){let[t,n]=I(!1),s=6;return a`<${X} title="Samples of dropped rows" flush side=${a`<span class="faint small">masked</span>`}>
    <${it} look="" name="samples" rows=${e.slice(0,t?e.length:s)} columns=${[["Row",o=>o.row,!0],["Dropped as",o=>o.reason],["Masked"]]}>${o=>a`<tr><td class="num">${C(
o.row)}</td><td title=${o.reason}>${ra(o.reason)}</td><td class="mono break">${o.masked}</td></tr>`}<//>
    ${!t&&e.length>s&&a`<div class="foot"><span>${s} of ${C(e.length)}</span><button class="small" onClick=${()=>n(!0)}>Show all</button></div>`}<//>`}function Af({
r:e,parts:t}){let n=new Map(t.map(i=>[i.number,i])),{total:s,done:o}=e.parts,r=t.filter(i=>i.crashes>0).sort((i,c)=>c.crashes-i.crashes);return a`<${X} title="Parts" side=${a`<span class="soft">${C(
o)} of ${C(s)} done</span>`}>
    <progress max=${s} value=${o} aria-label="Parts done"></progress>
    <div class="parts" style=${{marginTop:"12px"}} aria-hidden="true">${Array.from({length:s},(i,c)=>{let g=n.get(c)??(o===s?{state:"done",read:null}:void 0);return a`<i key=${c} class=${g?.
state??""} title=${`part ${c+1}: ${g?g.state+(g.read===null?"":`, ${C(g.read)} rows`):"waiting"}`}></i>`})}</div>
    ${r.length>0&&a`<p class="small soft" style=${{marginTop:"12px"}}>Workers crashed while they ran ${r.slice(0,5).map((i,c)=>a`${c>0&&", "}part ${C(i.number+1)} <b class="bad-ink">${i.
crashes===1?"once":`${C(i.crashes)} times`}</b>`)}${r.length>5&&` and ${z(r.length-5,"other part")}`}. Each goes on where it stopped.</p>`}<//>`}function Mf({r:e,
target:t}){let n=e.kind.startsWith("segment.")||e.kind.startsWith("rules.")?"":t.split(" ")[1];return a`<${X} title="Facts"><dl class="facts">
    <dt>Target</dt><dd>${n?a`<a href=${ae("campaigns",n)}>${Kn(t)}</a>`:e.kind.startsWith("segment.")?a`<a href=${ae("audiences",t)}>${Kn(t,e.targetName)}</a>`:
Kn(t)}</dd>
    <dt>Submitted</dt><dd><${ee} at=${e.submitted} /></dd>
    ${e.started&&a`<dt>Started</dt><dd><${ee} at=${e.started} /></dd>`}
    ${e.finished&&a`<dt>Finished</dt><dd><${ee} at=${e.finished} />${e.started&&a` <span class="faint">after ${pn((new Date(e.finished)-new Date(e.started))/1e3)}</span>`}</dd>`}
    <dt>Attempts</dt><dd>${C(e.attempts)}${e.crashes>0&&a`, <span class="bad-ink">${z(e.crashes,"crash","crashes")}</span>`}</dd>
    ${e.batches>0&&a`<dt>Sent</dt><dd>${z(e.batches,"batch","batches")}, ${Ds(e.bytes)}</dd>`}
    ${e.distinct>0&&a`<dt>Distinct ids</dt><dd>${e.kind.endsWith(".mirror")?"":"about "}${C(e.distinct)}</dd>`}
    ${e.new!==void 0&&a`<dt title=${We.new}>New</dt><dd>${e.new?C(e.new):"none: all were members before"}</dd>`}
    ${(e.numberOfIds.before>0||e.numberOfIds.after>0)&&a`<dt>On the platform</dt><dd>${C(e.numberOfIds.before)} before, ${C(e.numberOfIds.after)} after</dd>`}
    ${e.job?.actor&&a`<dt>Actor</dt><dd>${e.job.actor}</dd>`}
    ${e.job?.reason&&a`<dt>Reason</dt><dd>${e.job.reason}</dd>`}
    <dt>Who did what</dt><dd><a href=${"#/audit"+Se({job:e.id})}>In the audit</a></dd>
  </dl><//>`}var el=[["","All kinds"],...Object.entries(mo).map(([e,[t]])=>[e,t])],Ef=["queued","running","retrying","done","failed","cancelled"],Of=50,If=[["","All times"],
["1","Last hour"],["24","Last 24 hours"],["168","Last 7 days"],["720","Last 30 days"],["days","From … to …"]],wo=e=>["done","failed","cancelled"].includes(e);
function Pf({span:e,from:t,to:n}){return e==="days"?{since:t&&Di(t),until:n&&Di(n,1)}:{since:e&&new Date(Math.floor(ut()/6e4)*6e4-Number(e)*36e5).toISOString()}}
function Ru({params:e}){let t={state:e.state,kind:e.kind,text:e.text,target:e.target,...Pf(e)},n=me("/api/jobs"+Se({...t,after:e.after,limit:Of}),["jobs"]),[s,o]=I(
[]),[r,i]=I(!1),c=n.data??n.stale,g=c?Object.values(c.states).reduce((j,U)=>j+U,0):void 0,m=j=>{o([]),tt({after:"",...j})},T=c?.jobs.filter(j=>!wo(j.state)).map(
j=>j.id)??[],E=s.filter(j=>T.includes(j)),w={...e,job:""};return a`<${Ge} title="Jobs" sub="All jobs and their results, newest first.">
    <div class="filters">
      <${An} label="Search id, target, error …" value=${e.text} onText=${j=>m({text:j})} />
      <${Vn} label="Kind" value=${e.kind} onPick=${j=>m({kind:j})} options=${el} />
      <${Vn} label="Submitted" value=${e.span} onPick=${j=>m({span:j,from:"",to:""})} options=${If} />
      ${e.span==="days"&&a`<input type="date" aria-label="First day" value=${e.from??""} onChange=${j=>m({from:j.target.value})} /><input type="date" aria-label="Last day" value=${e.
to??""} onChange=${j=>m({to:j.target.value})} />`}
    </div>
    <${ja} label="State" value=${e.state} onPick=${j=>m({state:j})}
      options=${[["","All",g],...Ef.map(j=>[j,j[0].toUpperCase()+j.slice(1),c&&(c.states[j]??0),We[j]])].map(([j,U,Q,re])=>[j,U,Q==null?"…":Object.values(t).some(
Boolean)?Os(Q,c.looking):C(Q),re])} />
    ${e.target&&a`<div><button class="small" onClick=${()=>m({target:""})} aria-label="Remove the filter target">${e.target} ×</button></div>`}
    ${n.error&&a`<${hn} says=${n.error} retry=${n.reload} />`}
    <section class="card">${c?a`<${Lf} list=${c} filtered=${Object.values(t).some(Boolean)} params=${w} chosen=${E} choose=${o} />
      <${Es} l=${c.looking} />
      ${(c.jobs.length>0||e.after)&&a`<div class="foot"><span>${C(c.jobs.length)} of ${z(c.total,"job")}${c.looking&&c.total<=c.jobs.length?" so far":""}${c.more&&
!c.next?"; choose a time to see older ones":""}</span>
        <span class="acts">${e.after&&a`<a class="button small" href=${"#/jobs"+Se({...w,after:""})}>Newest</a>`}
        ${c.next&&a`<a class="button small" href=${"#/jobs"+Se({...w,after:c.next})}>Older</a>`}</span></div>`}`:!n.error&&a`<${yn} />`}</section>
    ${E.length>0&&a`<div class="selection" role="group" aria-label="Actions on the selected jobs"><span class="says"><b>${z(E.length,"job")}</b> selected</span>
      <button class="bare" onClick=${()=>o([])}>Clear</button><button class="danger" onClick=${()=>i(!0)}>Cancel ${z(E.length,"job")} …</button></div>`}
    ${r&&a`<${Xi} ids=${E} onClose=${()=>i(!1)} onDone=${()=>o([])} />`}
    ${e.job&&a`<${Tu} id=${e.job} key=${e.job} onClose=${()=>tt({job:""})} />`}
  <//>`}function Lf({list:e,filtered:t,params:n,chosen:s,choose:o}){return e.jobs.length===0?e.looking?a`<${Te} title="No job found so far">Older jobs are being read.<//>`:
t||n.after?a`<${Te} title="No job matches">Remove a filter to see other jobs.<//>`:a`<${Te} title="No jobs yet">Jobs are published by programs, by feeds and by rules, and appear here at once.<${Ca}>usher submit segment.add --segment 1 --profile idfa export.csv<//><//>`:
a`<${tl} jobs=${e.jobs} href=${r=>"#/jobs"+Se({...n,job:r})} chosen=${Je("operator")&&e.jobs.some(r=>!wo(r.state))?s:null} choose=${o} />`}var Qi="Sort the rows\
 on this page",zf=[["Job",e=>e.id,!1,Qi],["State",e=>e.state,!1,Qi],["Rows",e=>e.read,!0,We.read],["Accepted",e=>e.accepted,!0,We.accepted],["Submitted",e=>Date.
parse(e.submitted),!0,Qi]];function tl({jobs:e,href:t=o=>ae("jobs",o),chosen:n,choose:s}){let o=e.filter(i=>!wo(i.state)).map(i=>i.id),r=i=>s(n.includes(i)?n.filter(
c=>c!==i):[...n,i]);return a`<${it} look=${`cards ${n?"ticks":""}`} rows=${e} columns=${zf}
    first=${n&&a`<th class="tick"><input type="checkbox" aria-label="Select all jobs on this page that have not ended" checked=${n.length===o.length} onChange=${()=>s(
n.length===o.length?[]:o)} /></th>`}>${i=>a`<tr key=${i.id} data-href=${t(i.id)}>
      ${n&&a`<td class="tick">${!wo(i.state)&&a`<input type="checkbox" aria-label=${`Select job ${i.id}`} checked=${n.includes(i.id)} onChange=${()=>r(i.id)} />`}</td>`}
      <td><a class="id" href=${t(i.id)}>${i.id}</a><div class="note"><${Nn} kind=${i.kind} target=${i.target} name=${i.targetName} />${i.run>1?` · run ${i.run}`:
""}</div>
        ${i.state==="running"?a`<${Wf} row=${i} />`:a`<${Ff} row=${i} />`}</td>
      <td><${Va} is=${i.state} /></td>
      <td class="num" data-name="Rows">${i.read?C(i.read):a`<span class="faint none">–</span>`}</td>
      <td class="num" data-name="Accepted">${i.accepted?C(i.accepted):a`<span class="faint none">–</span>`}</td>
      <td class="num" data-name="Submitted"><div><${ee} at=${i.submitted} />${Du(i)&&a`<div class="note nowrap">took ${Du(i)}</div>`}</div></td>
    </tr>`}<//>`}var Du=e=>e.started&&e.finished&&pn((new Date(e.finished)-new Date(e.started))/1e3);function Ff({row:e}){if(e.error)return a`<div class="note"><span class="bad-ink" title=${e.
error.class}>${Ft(e.error.class)}</span>: <${xt} text=${e.error.message} /></div>`;if(e.why)return a`<div class="note"><${Nt} text=${e.why} /></div>`;let t=wo(e.
state)&&(la(e)||e.rejected);return!t&&!e.warnings?null:a`<div class="note">${t&&a`<${Ls} r=${e} />`}${t&&e.warnings>0&&"; "}${e.warnings>0&&z(e.warnings,"warnin\
g")}</div>`}function Nf(e){let t=At({read:0,at:Date.parse(e.started),rate:0});return en(()=>{let{read:n,at:s}=t.current,o=(Date.now()-s)/1e3;return e.read>n&&o>=
1&&(t.current={read:e.read,at:Date.now(),rate:(e.read-n)/o}),t.current.rate},[e.read])}function Wf({row:e}){let t=Ms(),n=Nf(e);if(e.state!=="running")return a`<div class="note"><${Nt} text=${e.
why||"waits for its next attempt"} /></div>`;let{total:s,done:o}=e.parts,r=s>1?o/s:null,i=r>0&&e.started?(t-Date.parse(e.started))/1e3*(1-r)/r:null,c=[r!==null&&
`${Math.floor(100*r)} %, ${C(o)} of ${C(s)} parts`,e.read>0&&`${C(e.read)} rows`,n>=1&&`${C(n)} rows/s`,i!==null&&`about ${pn(Math.max(i,1))} left`].filter(Boolean);
return a`${r!==null&&a`<progress max=${s} value=${o} aria-label="Parts done"></progress>`}<div class="note">${e.why?a`<${Nt} text=${e.why} />`:c.join(" · ")||"\
started"}</div>`}var qf=10,Au=(e,t)=>t?100*e/t:0,gr=(e,t)=>`${Au(e,t).toFixed(1)} %`,Hf=e=>(e.of??"").split(",").filter(Boolean);function Mu({params:e}){let t=me("/api/audiences",
["audiences"]),n=Hf(e);return a`<${Ge} title="Overlaps" crumb=${a`<a href="#/audiences">Audiences</a>`} sub="How many members audiences have in common, counted from usher's ledgers. Choose 2 to 10 that have one.">
    <${pt} result=${t}>${({audiences:s})=>a`<${Uf} audiences=${s} of=${n} />`}<//>
    ${n.length<2?a`<${X}><${Te} title="Choose two audiences">Then the members of both are counted.<//><//>`:a`<${Bf} of=${n} key=${n.join()} />`}
  <//>`}function Uf({audiences:e,of:t}){let n=e.filter(o=>o.ledger||t.includes(o.target));if(n.length===0)return a`<${X}><${Te} title="No audience has a ledger">The first mirror of a segment or campaign makes one.<//><//>`;
let s=o=>tt({of:(t.includes(o)?t.filter(r=>r!==o):[...t,o]).join(",")});return a`<div class="picks" role="group" aria-label="Audiences">${n.map(o=>a`<button class="small" key=${o.
target} aria-pressed=${t.includes(o.target)} disabled=${!t.includes(o.target)&&t.length>=qf} onClick=${()=>s(o.target)}>${Mt(o)}</button>`)}</div>`}function Bf({
of:e}){let t=me("/api/overlap?"+e.map(n=>"target="+encodeURIComponent(n)).join("&"),[]);return t.refused?a`<${ue} level="warn" says="These audiences cannot be compared" hint=${t.
error} />`:a`<${pt} result=${t}>${n=>a`
    ${n.audiences.filter(s=>s.uncertain>0).map(s=>a`<${ue} level="warn" says=${`${z(s.uncertain,"id")} of ${Mt(s)} may be members, and are not counted`} hint="A job has begun to change it and has not ended as it should. The next mirror settles it." />`)}
    <${Jf} o=${n} />
    <div class="grid two-one"><div class="stack"><${Gf} o=${n} /></div><div class="stack"><${Kf} o=${n} /></div></div>`}<//>`}function Jf({o:e}){let t=e.audiences[0];
return a`<div class="figures">
    <${jt} name="Together" value=${C(e.union)} note="members of at least one" meaning="Ids that are members of at least one of these audiences, each counted once, by usher's ledgers." />
    <${jt} name=${e.audiences.length>2?"In all":"In both"} value=${C(e.all)} note=${`${gr(e.all,e.union)} of all`} meaning="Ids that are members of each of these audiences." />
    <${jt} name=${`Only in ${Mt(t)}`} value=${C(t.only)} note=${`${gr(t.only,t.members)} of its members`} meaning="Ids that are members of no other of these audiences." />
  </div>`}function Gf({o:e}){return a`<${X} title="In both" flush side=${a`<span class="faint small">and their share of its members</span>`}>
    <div class="scroll"><table class="matrix cards" aria-label="Members in common"><thead><tr><th>Audience</th><th class="num">Members</th>${e.audiences.map((t,n)=>a`<th class="num" title=${Mt(
t)}><span class="soft">and</span> ${n+1}</th>`)}</tr></thead>
    <tbody>${e.audiences.map((t,n)=>a`<tr key=${t.target}><th scope="row"><span class="faint">${n+1}</span> <a href=${ae("audiences",t.target)}>${Mt(t)}</a><div class="note">generation ${C(
t.generation)}, <${ee} at=${t.at} />${t.lapsed>0&&`, ${C(t.lapsed)} lapsed`}</div></th>
      <td class="num" data-name="Members"><b>${C(t.members)}</b></td>
      ${e.both[n].map((s,o)=>n===o?a`<td class="num self" key=${o}>–</td>`:a`<td class="num" key=${o} data-name=${`and ${Mt(e.audiences[o])}`} style=${{"--sha\
re":Au(s,t.members).toFixed(1)+"%"}} title=${`${C(s)} of the ${C(t.members)} members of ${Mt(t)} are in ${Mt(e.audiences[o])}`}>${C(s)}<div class="note">${gr(s,
t.members)}</div></td>`)}</tr>`)}</tbody></table></div>
  <//>`}function Kf({o:e}){return a`<${X} title="Of all members"><div class="unions">
    <div><div class="small"><b>Together</b> <span class="soft">${C(e.union)}</span></div><div class="bar" aria-hidden="true"><i class="c-duplicate" style=${{flexGrow:1}}></i></div></div>
    ${e.audiences.map(t=>a`<div key=${t.target}><div class="small">${Mt(t)} <span class="soft">${C(t.members)}, ${gr(t.members,e.union)}</span></div>
      <div class="bar" role="img" aria-label=${`${C(t.only)} only in ${Mt(t)}, ${C(t.members-t.only)} in others, too`}>
        ${t.only>0&&a`<i class="c-accepted" style=${{flexGrow:t.only}}></i>`}${t.members>t.only&&a`<i class="c-suppressed" style=${{flexGrow:t.members-t.only}}></i>`}<i style=${{
flexGrow:e.union-t.members,minWidth:0}}></i></div>
      <div class="note">${C(t.only)} only here, ${C(t.members-t.only)} in others, too</div></div>`)}
    <div class="keys small soft"><span><i class="c-accepted"></i>only here</span><span><i class="c-suppressed"></i>in others, too</span></div>
  </div><//>`}var Eu=(...e)=>"#/audiences/overlap"+Se({of:e.join(",")});function Ou({target:e}){let t="/api/audiences/"+encodeURIComponent(e),n=me(t,["audiences","letters"]),[s,o]=I(""),r=n.data,i=r&&a`${r.ledger&&a`<a class="button" href=${Eu(
e)}>Overlaps</a>`}${Je("operator")&&a`${r.source&&a`<button onClick=${()=>o("compare")}>Compare with an export …</button>`}
    ${r.ledger&&a`<button onClick=${()=>o("verify")}>Check against the platform …</button>`}`}`;return a`<${Ge} title=${r?Mt(r):mr(e)} crumb=${a`<a href="#/audiences">Audiences</a>`} sub=${r&&
a`<${Gi} f=${r.feed} />`} acts=${i}>
    <${pt} result=${n}>${c=>a`
      ${c.problems.map(g=>a`<${ue} key=${g.says} level=${g.level} says=${a`<${xt} text=${g.says} />`} where=${g.where?.startsWith("/letters")?"#"+g.where:void 0} />`)}
      <${Es} l=${c.looking} />
      <${Vf} a=${c} />
      <div class="grid two-one">
        <div class="stack"><${Zf} points=${c.sizes} /><${Xf} points=${c.trend} /><${Qf} jobs=${c.jobs} looking=${c.looking} target=${e} /></div>
        <div class="stack"><${em} f=${c.feed} last=${c.jobs.find(g=>g.id===c.feed?.job)} onDone=${n.reload} /><${tm} l=${c.ledger} /><${nm} w=${c.withheld} /><${Cu} m=${c.
memory} /></div>
      </div>`}<//>
    ${s==="compare"&&a`<${am} path=${t} source=${r.source} onClose=${()=>o("")} />`}
    ${s==="verify"&&a`<${sm} path=${t} onClose=${()=>o("")} />`}
  <//>`}function Vf({a:e}){let t=e.trend.at(-1);return a`<div class="figures">
    <${jt} name="Ids" meaning=${We.ids} value=${e.size===null?"–":C(e.size)} note=${e.size===null?e.looking?nl:"no job or ledger has said it":e.sizeOf==="ledg\
er"?"in usher's ledger":a`on the platform, <${ee} at=${e.sizeAt} />`} />
    <${jt} name="Last change" meaning=${We.change} value=${a`<${Bi} c=${e.last} />`} note=${e.last?a`<${ee} at=${e.last.at} />`:e.looking?nl:"no job on record h\
as changed it"} />
    <${jt} name="Junk and invalid" meaning=${We.quality} value=${t?`${Yf(t.junk+t.invalid,t.read)} %`:"–"} note=${t?`of ${z(t.read,"row")} in the last export`:
e.looking?nl:e.jobs.length<200?"no export on record was read":"its newest 200 jobs have read no export"} bad=${t&&(t.junk+t.invalid)/t.read>.05} />
    <${jt} name="Open jobs" meaning=${We.open} value=${C(e.open)} note=${e.letters?a`<span class="bad-ink">${z(e.letters,"dead letter")}</span>`:"no dead letter\
s"} />
  </div>`}var nl="older jobs are being read",Yf=(e,t)=>t?(100*e/t).toFixed(e&&e/t<.01?2:1):"0",Iu=e=>Date.parse(e)/1e3;function Zf({points:e}){let t=en(()=>[e.map(
n=>Iu(n.at)),e.map(n=>n.ledger),e.map(n=>n.platform)],[e]);return a`<${X} title="Size" side=${a`<span class="faint small">ids, after each job</span>`}>
    ${e.length<2?a`<${Te} title="No history yet">The size is drawn once two jobs have ended.<//>`:a`<${Ta} data=${t} values=${Jn} unit="ids" label=${`Ids over t\
ime, now ${C(e.at(-1).ledger??e.at(-1).platform)}`} height=${220}
        lines=${[["in the ledger","--c-accepted",{spanGaps:!0,points:{show:!0,size:5}}],["on the platform","--c-suppressed",{spanGaps:!0,points:{show:!0,size:5}}]]} />`}<//>`}
function Xf({points:e}){let t=en(()=>[e.map(n=>Iu(n.at)),e.map(n=>100*n.junk/n.read),e.map(n=>100*n.invalid/n.read)],[e]);return a`<${X} title="Data quality" side=${a`<span class="faint small">share of the rows of each export that name no device</span>`}>
    ${e.length<2?a`<${Te} title="No trend yet">The trend is drawn once two exports were read.<//>`:a`<${Ta} data=${t} values=${n=>(n<10?n.toFixed(1):Math.round(
n))+" %"} unit="% of rows" min=${1} height=${200} label="Junk and invalid rows in percent, by export"
        lines=${[["junk","--c-junk",{points:{show:!0,size:5}}],["invalid","--c-invalid",{points:{show:!0,size:5}}]]} />
        <p class="small soft">Junk are zero ids, placeholders and ids of other kinds. Invalid rows have not the shape of an id. Both are left out, never sent.</p>`}<//>`}
function Qf({jobs:e,looking:t,target:n}){return a`<${X} title="Jobs" flush side=${a`<a class="small" href=${"#/jobs"+Se({target:n})}>All jobs</a>`}>${e.length===
0?a`<${Te} title=${t?"No job found so far":"No jobs on record"} />`:a`<${tl} jobs=${e.slice(0,20)} />${e.length>20&&a`<div class="foot">the newest 20 of ${e.length>=
200?"200 or more":Os(e.length,t)}</div>`}`}<//>`}var Pu={look:["Look for a new export now?","Look now","A worker looks at once, and takes an export that is comp\
lete."],approve:["Approve the held export?","Approve export","It is taken now, although it differs from what is expected."],reject:["Reject the held export?","R\
eject export","It is not taken. The next export is judged again."],pause:["Pause this feed?","Pause feed","No export is taken until somebody resumes it."],resume:[
"Resume this feed?","Resume feed","The newest export is taken, if it was not."]};function br({feed:e,versions:t,way:n,onClose:s,onDone:o=()=>{}}){let[r,i]=I(""),
[c]=I(t??[]),[g,m,T]=Pu[n],E=async()=>{await Ie(`/api/feeds/${encodeURIComponent(e)}/${n}`,{reason:r,versions:c}),Ve(`${m}: feed ${e}`),o()};return a`<${Ke} title=${g} act=${m} danger=${n===
"pause"||n==="reject"} ready=${n!=="pause"||r.trim()} onAct=${E} onClose=${s}>
    <p>${T}</p><${Oe} name="Reason" hint=${`Recorded in the audit with your name, ${Ne.user}.`}><input type="text" maxlength="1000" value=${r} onInput=${w=>i(w.
target.value)} data-first /><//>
  <//>`}function em({f:e,last:t,onDone:n}){let[s,o]=I("");if(!e)return a`<${X} title="Feed"><p class="soft">No feed writes to this audience: jobs are published for it.</p><//>`;
let r=e.held?[e.approvable?"approve":"look","reject"]:e.paused?["resume"]:["look","pause"];return a`<${X} title=${`Feed ${e.name}`}><dl class="facts">
      <dt>Takes</dt><dd class="mono small">${e.watch}</dd>
      <dt>Looks</dt><dd>${Ji(e)}</dd>
      <dt>Looked</dt><dd><${ee} at=${e.looked} />${e.blind&&a` <span class="badge bad">blind</span>`}</dd>
      <dt>Expected</dt><dd>${e.late?a`by ${Ti(e.late)} <span class="badge bad">late</span>`:e.next?`by ${Ti(e.next)}`:"at any time"}</dd>
      <dt>Last taken</dt><dd>${e.last?a`<${ee} at=${e.last} />${e.rows>0&&`, ${z(e.rows,"row")}`}`:"nothing yet"}</dd>
      ${vo(e.jobState)&&a`<dt>Not uploaded</dt><dd><a href=${ae("jobs",e.job)}>Its job</a> ${e.error?a`has failed. ${Ft(e.error.class)}: <${xt} text=${e.error.message} />`:
"was cancelled"}</dd>`}
      ${t&&la(t)&&a`<dt>Changed</dt><dd><a href=${ae("jobs",t.id)}><${Ls} r=${t} /></a></dd>`}
      ${e.why&&a`<dt>Now</dt><dd><${Nt} text=${e.why} /></dd>`}
      ${e.paused&&a`<dt>Paused by</dt><dd>${e.paused}</dd>`}
    </dl>
    ${Je("operator")&&a`<div class="acts-line">${r.map(i=>a`<button class="small ${i==="pause"||i==="reject"?"danger":""}" onClick=${()=>o(i)}>${Pu[i][1]} …</button>`)}</div>`}
    ${s&&a`<${br} feed=${e.name} versions=${s==="approve"?e.approvable:e.versions} way=${s} onClose=${()=>o("")} onDone=${n} />`}<//>`}function tm({l:e}){return a`<${X} title="Ledger">${e?
a`<dl class="facts"><dt>From</dt><dd><${ee} at=${e.at} /></dd><dt>Ids</dt><dd>${C(e.count)}${e.changed&&a` <span class="tag">changed since</span>`}</dd>
      <dt>By job</dt><dd class="break"><a href=${ae("jobs",e.job)}>${e.job}</a></dd>${e.pending&&a`<dt>Changing now</dt><dd class="break"><a href=${ae("jobs",e.
pending)}>${e.pending}</a></dd>`}</dl>`:a`<p class="soft">usher keeps no ledger of this audience. The first mirror makes one: then only what has changed is sent.</p>`}<//>`}
function nm({w:e}){return e?a`<${X} title="Left out by the last mirror"><dl class="facts">
    ${e.except.map(t=>a`<dt>Members of</dt><dd><a href=${ae("audiences",t.target)}>${Mt(t)}</a>: ${z(t.count,"id")}<div class="note">as of its generation ${C(t.
generation)}, <${ee} at=${t.at} /></div></dd>`)}
    ${e.holdout&&a`<dt>Held out</dt><dd>${z(e.holdout.count,"id")}: ${e.holdout.percent} % by the key “${e.holdout.key}”<div class="note">the same people in each segment and on each day</div></dd>`}
  </dl><//>`:null}function am({path:e,source:t,onClose:n}){let[s,o]=I(t.includes("?…")?"":t),r=async()=>{let{id:i}=await Ie(e+"/compare",{url:s.trim()});Ve("C\
omparing: nothing is sent"),location.hash=ae("jobs",i)};return a`<${Ke} title="Compare with an export" act="Compare" wide ready=${s.trim()} onAct=${r} onClose=${n}>
    <p>Counts which ids a mirror of this export would add and remove. It is a job that sends nothing; its page opens and shows the result.</p>
    <${Oe} name="Export" hint="A file, or a folder that ends in /. It is read as the exports of this audience were read before."><input type="text" class="mono" value=${s} onInput=${i=>o(
i.target.value)} data-first /><//>
  <//>`}function sm({path:e,onClose:t}){let[n,s]=I(null),o=async()=>{throw s(await Ie(e+"/verify")),new Error("")},r=n&&n.missing+n.unexpected;return a`<${Ke} title="Check against the platform" act=${n?
"Check again":"Check"} dismiss=${n?"Close":"Cancel"} onAct=${o} onClose=${t}>
    <p>Asks the platform for about 200 ids, chosen at random, and compares them with usher's ledger. This takes calls of the limit.</p>
    ${n&&a`<${ue} level=${r?"bad":"good"} says=${r?`${C(r)} of ${C(n.asked)} answers differ`:`All ${C(n.asked)} answers agree`}
      hint=${r?`${C(n.missing)} ids are missing on the platform, ${C(n.unexpected)} are there although they should not be. The ledger is off by ${n.low.toFixed(
2)} to ${n.high.toFixed(2)} %.`:`The ledger holds ${z(n.count,"id")}.`} />`}
  <//>`}function om({w:e}){return e.gone?a`<span class="faint">nothing</span>`:e.jobs.length===0?a`<span class="soft">waits for jobs</span>`:a`<div>${e.jobs.slice(0,4).
map(t=>a`<div class="small break"><a href=${ae("jobs",t)}>${t}</a></div>`)}${e.jobs.length>4&&a`<div class="small faint">and ${C(e.jobs.length-4)} more</div>`}</div>`}
function rm({w:e}){return e.gone?e.stopped?a`<span class="badge">stopped</span>`:a`<span class="badge bad">gone</span>`:Object.keys(e.slots??{}).length===0?a`<span class="badge warn">stopping</span>`:
e.down?a`<span class="badge bad">${e.refused?"login refused":"platform down"}</span>`:a`<span class="badge good">works</span>`}var im=[{key:"name",title:"Worker",
card:!1,value:e=>e.name,cell:e=>a`<span class="strong break">${e.name}</span>`},{key:"state",title:"State",value:e=>Number(e.gone),cell:e=>a`<${rm} w=${e} />${e.
gone&&a`<div class="note">last heard <${ee} at=${e.heard} /></div>`}`},{key:"doing",title:"Does",cell:e=>a`<${om} w=${e} />`},{key:"slots",title:"Slots by lane",
cell:e=>a`<div class="small">${Object.entries(e.slots??{}).filter(([,t])=>t>0).map(([t,n],s)=>a`${s>0&&", "}<span class="nowrap">${t} ${C(n)}</span>`)}</div>`},
{key:"version",title:"Version",value:e=>e.version,cell:e=>a`<span class="small break">${e.version||"older"}</span>`},{key:"memory",title:"Memory",num:!0,value:e=>e.
memory||null,cell:e=>e.memory?Ds(e.memory):a`<span class="faint none">–</span>`},{key:"since",title:"Since",num:!0,value:e=>e.since&&Date.parse(e.since),cell:e=>a`<${ee} at=${e.
since} />`}];function Lu(){let e=me("/api/workers");ke(()=>{let r=setInterval(()=>document.hidden||e.reload(),1e4);return()=>clearInterval(r)},[]);let t=e.data?.
workers??[],n=[...new Set(t.filter(r=>!r.gone).map(r=>r.version))],s=t.filter(r=>r.gone&&r.stopped).length,o=t.filter(r=>r.gone&&!r.stopped).length;return a`<${X} title="Workers" flush><${pt} result=${e}>${()=>a`
    ${n.length>1&&a`<${ue} level="warn" says=${`${C(n.length)} versions run at the same time`} hint="This is right during an update, and not for longer." />`}
    ${t.length===0?a`<${Te} title="No worker answers">Jobs wait until one is started.<${Ca}>usher run<//><//>`:a`<${Bs} label="Workers" columns=${im} rows=${t} params=${{}} id=${r=>r.
name} /><div class="foot">${z(t.length-o-s,"worker")}${s>0?`, ${C(s)} stopped`:""}${o>0?`, ${C(o)} gone`:""}</div>`}`}<//><//>`}var lm=15*6e4,zu=new Set;function xo(){let e=me("/api/replays",["replays"]),[,t]=I(0),n=ut();return(e.data?.replays??[]).filter(o=>!zu.has(o.id)&&(!o.finished||
n-new Date(o.finished)<lm)).map(o=>a`<${cm} key=${o.id} r=${o} onHide=${()=>{zu.add(o.id),t(r=>r+1)}} />`)}function dm(e){return e.error?"Replay failed":e.stopped?
"Replay stopped":e.finished?"Replay finished":e.report.planned===0&&e.report.changed>0?"Changing the jobs …":"Replaying …"}function cm({r:e,onHide:t}){let n=e.
report,s=Math.max(n.planned,1),o=e.finished&&!e.stopped&&!e.error;return a`<section class="card"><div class="body replay">
    <div class="head"><b class="title">${dm(e)}</b>
      <span class="soft">by ${e.by}, <${ee} at=${e.started} />${e.rate?`, ${un(e.rate)} a second`:""}</span>
      ${!e.finished&&Je("operator")&&a`<button class="small danger" onClick=${()=>Ie(`/api/replays/${e.id}/stop`).catch(r=>Ve(r.message,!0))}>Stop</button>`}
      ${e.finished&&a`<button class="small bare" onClick=${t}>Hide</button>`}</div>
    <progress max=${s} value=${o?s:n.replayed+n.skipped} aria-label="Replayed"></progress>
    <div class="small soft">${n.changed>0&&`${z(n.changed,"job")} changed, `}${C(n.replayed)} of ${C(n.planned)} replayed${n.skipped?`, ${C(n.skipped)} skipped`:
""}${e.stopped?"; the other letters were kept":""}</div>
    ${n.replayed>0&&e.finished&&a`<${um} p=${n} />`}
    ${n.left?.length>0&&a`<details class="small"><summary>Why letters were skipped</summary>${n.left.map(r=>a`<div class="break">${r.id??`letter ${r.seq}`}: ${r.
why}</div>`)}</details>`}
    ${e.error&&a`<${ue} level="bad" says=${e.error} />`}
  </div></section>`}function um({p:e}){let t=Math.max(0,e.replayed-e.done-e.failedAgain-e.cancelled);return a`<div class="small"><span class="good-ink">${C(e.done)} done</span>${t>
0&&a`, <span class="soft">${C(t)} not ended yet</span>`}${e.cancelled>0&&`, ${C(e.cancelled)} cancelled`}${e.failedAgain>0&&a`, <a class="bad-ink strong" href=${"\
#/letters"+Se({replay:e.name})}>${C(e.failedAgain)} failed again</a>`}</div>`}var al=100;function vr({title:e,days:t,lines:n,legend:s}){if(n.length===0)return null;let o=matchMedia("(max-width: 700px)").matches?3:8;return a`<${X} title=${e} side=${a`<span class="faint small">point at a cell to see why</span>`}>
    <div class="days" tabindex="0" role="region" aria-label=${e} style=${`--days: ${t.length}`}>${n.slice(0,al).map(([r,i])=>a`<b class="small" title=${r}>${r}</b>${i.
map(c=>a`<span class="cell ${c.look}" title=${c.title}>${c.text}</span>`)}`)}
      <i></i>${t.map((r,i)=>a`<span class="small faint">${i%Math.ceil(t.length/o)===0?r.slice(5):""}</span>`)}</div>
    <div class="small faint">${s.map(([r,i])=>a`<span class="cell ${r}"></span> ${i} `)}${n.length>al&&`· ${C(n.length-al)} more lines are not shown`}</div><//>`}
function wr(e,t,n){let s=new Map;for(let o of e){s.has(t(o))||s.set(t(o),new Map);let r=s.get(t(o));r.set(n(o),[...r.get(n(o))??[],o])}return s}var Fu=e=>new Date(ut()-e*864e5).toISOString().slice(0,10);function Wu({params:e}){let t=me("/api/rules"),n=[...new Set((t.data?.rules??[]).map(w=>w.file))],s=e.
file??n[0]??"",[o,r]=I(e.from??Fu(31)),[i,c]=I(e.to??Fu(1)),[g,m]=I({}),T=async w=>{m({busy:!0});try{m({outcome:await sa("/api/rules/backtest"+Se(w))})}catch(j){
m({error:j.message})}};ke(()=>{e.file&&e.from&&e.to&&T(e)},[e.file,e.from,e.to]);let E=w=>{w.preventDefault();let j={file:s,from:o,to:i};e.file===s&&e.from===o&&
e.to===i?T(j):tt(j)};return a`<${Ge} title="Backtest" crumb=${a`<a href="#/rules">Rules</a>`} sub="What the rules would have done on past days, and how much they would have saved. Nothing was changed.">
    <form class="filters" onSubmit=${E}>
      <${Vn} label="Rule file" value=${s} onPick=${w=>tt({file:w,from:"",to:""})} options=${n.map(w=>[w,w])} />
      <input class="date" type="date" aria-label="First day" required value=${o} onInput=${w=>r(w.target.value)} />
      <input class="date" type="date" aria-label="Last day" required value=${i} onInput=${w=>c(w.target.value)} />
      <button class="primary" disabled=${g.busy||!s}>${g.busy?"Reading reports …":"Run"}</button>
    </form>
    ${g.error&&a`<${hn} says=${g.error} />`}
    ${g.busy&&a`<div class="card"><${yn} /></div>`}
    ${g.outcome&&a`<${pm} o=${g.outcome} />`}
    ${!g.outcome&&!g.busy&&!g.error&&a`<div class="card"><${Te} title="Choose days">The rules are evaluated once for each day, on the platform's reports.<//></div>`}
  <//>`}function pm({o:e}){let t=e.summary;return a`${t.spend===0&&a`<${ue} level="warn" says="The reports have no spend of these days" hint="So the rules have nothing to decide on, and nothing to save. Choose days with reports." />`}
    <div class="figures">
      <${jt} name="Saved" meaning=${We.saved} value=${un(t.saved)} note=${`${t.atMost&&t.saved>0?"at most, ":""}of ${un(t.spend)} spent`} />
      <${jt} name="Pauses" meaning=${We.pauses} value=${C(t.pauses)} note=${z(t.resumes,"resume")} />
      <${jt} name="Held" meaning=${We.held} value=${C(t.held)} note=${t.unknown>0?`and ${C(t.unknown)} unknown`:"by limits and guards"} />
      <${jt} name="Missed clicks" meaning=${We.missed} value=${Jn(t.missed.clicks)} note=${`${Jn(t.missed.impressions)} impressions`} />
    </div>
    ${t.byNumber&&a`<${fm} all=${t.byNumber} />`}
    ${t.byDay.length>1&&a`<${hm} days=${t.byDay} key=${t.from+t.to} />`}
    <${Nu} title="Creatives by day" days=${t.byDay} decisions=${e.decisions.filter(n=>!n.bidding)} />
    <${Nu} title="Budgets and bids by day" days=${t.byDay} decisions=${e.decisions.filter(n=>n.bidding)} />
    <${X} title="By rule" flush><${it} name="rules" rows=${t.rules} columns=${[["Rule",n=>n.rule],["Saved",n=>n.saved,!0],["Pauses",n=>n.pauses,!0],["Resumes",n=>n.
resumes,!0],...t.byNumber?[["Decreases",n=>n.decreases,!0],["Increases",n=>n.increases,!0]]:[],["Held",n=>n.held,!0]]}>${n=>a`<tr><td class="strong break">${n.rule}</td><td class="num" data-name="Saved">${un(
n.saved)}</td><td class="num" data-name="Pauses">${C(n.pauses)}</td><td class="num" data-name="Resumes">${C(n.resumes)}</td>${t.byNumber&&a`<td class="num" data-name="Decreases">${C(
n.decreases)}</td><td class="num" data-name="Increases">${C(n.increases)}</td>`}<td class="num" data-name="Held">${C(n.held)}</td></tr>`}<//>
      ${t.readAsAct&&a`<div class="foot">All rules were evaluated as if in mode act. Rules in another mode: ${t.readAsAct.join(", ")}</div>`}
      ${t.withoutHours&&a`<div class="foot">active_hours were ignored. Rules with them: ${t.withoutHours.join(", ")}</div>`}
      ${t.atMost&&t.saved>0&&a`<div class="foot">Saved is at most this for rules with resume_when, which see the report's spend also while they pause: ${t.atMost.
join(", ")}</div>`}
      ${t.wholeDay&&a`<div class="foot">The window today was the report's row of the whole day. Rules with it: ${t.wholeDay.join(", ")}</div>`}<//>
    <${X} title="What would have changed" flush>${e.decisions.length===0?a`<${Te} title="No rule would have changed anything">${t.unknown>0&&`${z(t.unknown,"dec\
ision")} could not be made: the reports lack what the conditions read.`}<//>`:a`<${it} rows=${e.decisions.slice(0,300)} columns=${[["Day",n=>n.date],["Subject",
n=>n.creative||n.campaign],["Action",n=>n.action],["Why",n=>n.rule]]}>${n=>a`<tr><td class="nowrap">${n.date}</td><td class="break"><${Da} d=${n} /></td>
          <td><${Ns} is=${n.action} /></td><td class="whole break">${n.reason}<div class="note">${n.rule}</div></td></tr>`}<//>
        ${e.decisions.length>300&&a`<div class="foot">The first 300 of ${C(e.decisions.length)}</div>`}`}<//>`}function hm({days:e}){let t=en(()=>[e.map(n=>Date.
parse(n.date)/1e3),e.map(n=>n.spend),e.map(n=>n.saved)],[e]);return a`<${X} title="Spend by day" side=${a`<span class="faint small">in the account's currency</span>`}>
    <${Ta} data=${t} values=${Jn} height=${220} unit="spend" label="Spend by day, and what the rules would have saved"
      lines=${[["spent","--c-suppressed"],["would have been saved","--c-accepted",{filled:"--good-soft"}]]} /><//>`}function fm({all:e}){return a`<${X} title="Budgets and bids" flush><${it} name="numbers" rows=${e} columns=${[
["Campaign",t=>t.campaign],["Would have set",t=>t.change.to],["Decreases",t=>t.decreases,!0],["Increases",t=>t.increases,!0],["Held",t=>t.held,!0]]}>${t=>a`<tr><td class="strong break">${t.
campaign}<div class="note">${xn[t.change.field]}</div></td><td>${t.decreases+t.increases>0?Ws(t.change):`stays ${Ws({...t.change,to:t.change.from})}`}</td>
      <td class="num" data-name="Decreases">${C(t.decreases)}</td><td class="num" data-name="Increases">${C(t.increases)}</td><td class="num" data-name="Held">${C(
t.held)}</td></tr>`}<//>
    <div class="foot">What would have been spent with them is unknown: spend is as reported.</div><//>`}function Nu({title:e,days:t,decisions:n}){let s=[...wr(n,
r=>r.bidding?`${r.campaign} ${xn[r.bidding.field]}`:r.creative,r=>r.date)],o=[["pause","paused"],["decrease","decreased"],["increase","increased"],["held","held\
 back"]].filter(([r])=>n.some(i=>i.action===r));return a`<${vr} title=${e} days=${t.map(r=>r.date)} legend=${o} lines=${s.map(([r,i])=>[r,mm(t,i)])} />`}function mm(e,t){
let n=!1;return e.map(s=>{let o=t.get(s.date)?.at(-1);return(o?.action==="pause"||o?.action==="resume")&&(n=o.action==="pause"),{look:n?"pause":o&&o.action!=="r\
esume"?o.action:"",title:o?`${o.date}: ${o.action} by ${o.rule}: ${o.reason}`:`${s.date}: ${n?"still paused":"no change"}`,text:o?.bidding&&o.action!=="held"&&e.
length<=14?o.bidding.to:""}})}var sl=({s:e})=>a`kept by ${e.by||"somebody"} until ${e.until?a`<time datetime=${e.until}>${zt(e.until)}</time>`:"released"}`;function ol({s:e}){return e?a`<div class="note warn-ink"><${sl} s=${e} />${e.
reason&&`: ${e.reason}`} <span class="faint">(<${ee} at=${e.at} />)</span></div>`:null}var Qa="date",qu=[["2h","for 2 hours"],["tomorrow","until tomorrow"],["mo\
nday","until Monday"],["released","until somebody hands it back"],[Qa,"until a date …"]];function rl({until:e,onUntil:t,required:n}){let s=qu.some(([r])=>r===
e),o=e===""||s?e:Qa;return a`<${Oe} name="Rules" hint="A day begins in the time zone of the account's rules. While they leave it alone, no cap stops it.">
      <select value=${o} onChange=${r=>t(r.target.value)}>
        ${!n&&a`<option value="" selected=${o===""}>may change it at once</option>`}
        ${qu.map(([r,i])=>a`<option value=${r} selected=${o===r}>leave it alone ${i}</option>`)}
      </select><//>
    ${o===Qa&&a`<${Oe} name="Until the beginning of"><input type="date" required value=${s?"":e} onInput=${r=>t(r.target.value||Qa)} /><//>`}`}function xr({code:e,
campaign:t="",kept:n,what:s="it",onDone:o=()=>{}}){let[r,i]=I("");return Je("operator")?a`<button class="small" onClick=${()=>i(n?"release":"keep")}>${n?"Hand b\
ack to rules …":`Keep rules from ${s} …`}</button>
    ${r&&a`<${$m} code=${e} campaign=${t} way=${r} what=${s} onClose=${()=>i("")} onDone=${o} />`}`:null}function $m({code:e,campaign:t,way:n,what:s,onClose:o,onDone:r}){
let[i,c]=I(""),[g,m]=I("tomorrow"),T=n==="keep",E=s==="it"?e:`the ${s} of ${e}`,w=async()=>{await Ie(`/api/rules/${n}`,T?{code:e,campaign:t,until:g,reason:i}:{code:e,
reason:i}),Ve(T?`Rules leave ${E} alone`:`Rules may change ${E} again`),r()};return a`<${Ke} title=${T?`Keep rules from ${E}?`:`Hand ${E} back to rules?`} act=${T?
"Keep":"Hand back"} ready=${i.trim()&&(!T||g!==Qa)} onAct=${w} onClose=${o}>
    <p>${T?"Rules leave it as it is, whoever has changed it: somebody here, or somebody on the platform itself.":"The next run of each rule decides on it again."}</p>
    ${T&&a`<${rl} until=${g} onUntil=${m} required />`}
    <${Oe} name="Reason" hint="Shown beside it, and recorded in the audit with your name."><input type="text" required maxlength="1000" value=${i} onInput=${j=>c(
j.target.value)} data-first /><//>
  <//>`}var gm=e=>{let t=e.jobs?.length>0?go(e):0,n=As(e);return t?`${z(t,"change")} of this run ${t===1?"has its job":"have their jobs"}, and ${C(n)} ${n===1?"waits":"\
wait"} for approval`:"This run waits for approval"},bm=({run:e})=>["approved","rejected"].includes(e.state)?a`<${ue} level=${e.state==="approved"?"good":""} says=${a`${e.
state==="approved"?"Approved":"Rejected"} by ${e.by||"somebody"}, <${ee} at=${e.judged??e.at} />`} hint=${`It was held: ${e.why}`} />`:a`<${ue} says=${e.why} />`,
vm={failed:["bad","It decided nothing: its job failed"],cancelled:["","It decided nothing: its job was cancelled"],done:["","No decisions of it are on record","\
Its job says so if no rule was in scope. A run that changed nothing is kept for two days."]};function wm({id:e,job:t}){let[n,s,o]=vm[t.state]??["","It has not d\
ecided yet","This page shows its decisions as soon as there are some."];return a`<${ue} level=${n} says=${s} hint=${o}><div class="acts-line"><a class="button small" href=${ae(
"jobs",e)}>Its job</a></div><//>`}function Ju({id:e}){let t=me("/api/rules/runs/"+encodeURIComponent(e),["rules","job "+e]),[n,s]=I(""),o=t.data?.run,r=o?.state===
"held",i=o&&Je("operator")&&a`
    ${r&&a`<button class="primary" onClick=${()=>s("approve")}>Approve …</button><button class="danger" onClick=${()=>s("reject")}>Reject …</button>`}
    ${o.jobs?.length>0&&!t.data.undone.length&&a`<button onClick=${()=>s("undo")}>Undo …</button>`}`;return a`<${Ge} title=${e} crumb=${a`<a href="#/rules">Rules</a>`} sub=${o&&
a`<${Fs} is=${o.state} /> ${o.undoOf?`undoes ${o.undoOf}`:o.file} · ${Ra(o)}`} acts=${i}>
    <${pt} result=${t}>${c=>c.run===null?a`<${wm} id=${e} job=${c.job} />`:a`
      ${c.undone.map(g=>a`<${ue} key=${g.id} says=${a`Undone by ${g.by||"somebody"}, <${ee} at=${g.at} />`}><div class="acts-line"><a class="button small" href=${ae(
"rules","runs",g.id)}>What was undone</a></div><//>`)}
      ${r&&a`<${ue} level="warn" says=${gm(c.run)} hint=${c.run.why} />`}
      ${c.run.warnings?.length>0&&a`<${ue} level="warn" says=${bo(c.run)?"The stop switch held back changes of this run":`${z(c.run.warnings.length,"change")} n\
ot carried out by the approval`}><ul class="small">${c.run.warnings.slice(0,20).map(g=>a`<li class="break">${g.description}</li>`)}</ul><//>`}
      ${!r&&c.run.why&&a`<${bm} run=${c.run} />`}
      <div class="grid two-one">
        <${xm} run=${c.run} all=${c.decisions} more=${c.more} />
        <${X} title="Facts"><dl class="facts">
          <dt>Account</dt><dd>${c.run.account}</dd>
          <dt>As of</dt><dd>${zt(c.run.asOf)}</dd>
          <dt>Decided</dt><dd><${ee} at=${c.run.at} /></dd>
          ${c.run.by&&a`<dt>By</dt><dd>${c.run.by}${c.run.reason&&`: ${c.run.reason}`}</dd>`}
          ${c.run.jobs?.length>0&&a`<dt>Jobs</dt><dd>${c.run.jobs.slice(0,20).map(g=>a`<div class="break"><a href=${ae("jobs",g)}>${g}</a></div>`)}</dd>`}
        </dl><//></div>`}<//>
    ${n&&a`<${yo} id=${e} way=${n} onClose=${()=>s("")} onDone=${t.reload} />`}
  <//>`}var Gu=(e,t)=>e.state!=="approved"&&(!e.approvals?.length||e.approvals.at(-1).waiting.includes(Gs(t))),Hu=(e,t)=>_a(t)&&!t.left&&!Gu(e,t);function xm({run:e,
all:t,more:n}){return a`<${X} title="Decisions" flush>${t.length===0?a`<${Te} title="Nothing to change">What stays as it is is counted but not listed.<//>`:a`<${it} rows=${qs(
t)} columns=${[[t.every(s=>s.bidding)?"Number":"Creative",s=>s.creative||s.campaign],["Action",s=>s.action],["Why",s=>s.rule]]}>${s=>a`<tr key=${s.key}>
        <td><${Da} d=${s} /></td>
        <td><${Ns} is=${Hu(e,s)?s.wants:s.action} />${Hu(e,s)?a`<div class="note">approved</div>`:s.wants&&a`<div class="note">${fr(s)}</div>`}${s.notice&&a`<div class="note">notifies</div>`}</td>
        <td class="whole"><${Ku} d=${s} /></td></tr>`}<//>
      ${n>0&&a`<div class="foot">${C(n)} more, which the command <code>usher rules runs show</code> lists</div>`}`}<//>`}function Ku({d:e}){return a`<div class="break">${Hs(
e)}</div><${Za} metrics=${e.metrics} />
    ${e.values?.length>0&&a`<details class="small"><summary>${z(e.values.length,"step")} of ${e.rule}</summary>
      ${e.values.map(t=>a`<div class="break"><code>${t.expression}</code> = ${isNaN(t.result)?t.result:un(Number(t.result))}</div>`)}</details>`}`}var ym={approve:[
"Approve this run?","Approve","What is still wanted below is carried out now, by one job for each campaign: by the same rule and the same days, and by the repor\
t as it is now."],reject:["Reject this run?","Reject","Its decisions are not carried out. The next run decides again."],undo:["Undo this run?","Undo","Creatives\
 that this run paused are resumed, and vice versa, and budgets and bids are set back, unless somebody has changed them since."]},Gs=e=>`${e.campaign}/${e.bidding?.
field??e.creative}`,Uu=({d:e})=>e.parts?a`<b>${e.wants}</b> <${Da} d=${e} />`:a`<b>${e.wants}</b> ${e.bidding?`${xn[e.bidding.field]} ${Ws(e.bidding)}`:e.creative}<div class="note">${e.
campaign}</div>`,km=({s:e})=>a`<p><b>Spend at stake: ${or(e.gross)}</b> <span class="soft">spent on what would change, from ${e.from} to ${e.to}</span></p>`,_m=({
d:e,of:t})=>[...new Map((e.parts??[e]).map(n=>t?.[Gs(n)]).map(n=>[JSON.stringify(n),n])).values()].slice(0,5).map(n=>a`<${Cm} s=${n} />`);function Cm({s:e}){return!e||
e.is==="wanted"?null:a`<div class="note warn-ink">${e.is==="unknown"?"Cannot be decided now, and stays held":"No longer wanted, and is left out"}: ${e.why}</div>`}
function jm({id:e,left:t,setLeft:n}){let s=me(`/api/rules/runs/${encodeURIComponent(e)}/review`),o=me("/api/rules/runs/"+encodeURIComponent(e)),r=c=>(c.parts??[
c]).every(g=>t.includes(Gs(g))),i=c=>{let g=(c.parts??[c]).map(Gs);n(r(c)?t.filter(m=>!g.includes(m)):[...t,...g])};return a`<${pt} result=${o}>${({run:c,decisions:g})=>{
let m=g.filter(E=>_a(E)&&!E.left&&Gu(c,E)),T=g.filter(E=>E.action==="held"&&!_a(E));return a`${s.data?.wrong?a`<${ue} level="bad" says="This run cannot be approved" hint=${s.
data.wrong} />`:s.data?.stake?a`<${km} s=${s.data.stake} />`:s.error?a`<${ue} level="warn" says="It is not known whether its changes are still wanted" hint=${s.
error} />`:a`<p class="soft">Deciding again by the report as it is now …</p>`}
      <p class="soft">Held <${ee} at=${c.at} /> · ${c.why}</p>
      <div class="scroll block">${m.length>0&&a`<table class="tight"><thead><tr><th class="tick"><span class="sr">Approve</span></th><th>What would change</th><th>Rule and reason</th></tr></thead><tbody>
      ${qs(m).map(E=>a`<tr key=${E.key}><td class="tick"><input type="checkbox" aria-label=${`Approve ${E.wants} of ${E.parts?`all ${E.parts.length} together`:Gs(
E)}`} checked=${!r(E)} onChange=${()=>i(E)} /></td><td class="break"><${Uu} d=${E} /></td>
        <td class="break">${E.rule}<div class="note">${Hs(E)}</div><${_m} d=${E} of=${s.data?.standing} /></td></tr>`)}</tbody></table>`}
      ${T.length>0&&a`<table class="tight"><thead><tr><th>Not carried out by an approval</th><th>Rule and reason</th></tr></thead><tbody>
      ${qs(T).map(E=>a`<tr key=${E.key}><td class="break"><${Uu} d=${E} /></td><td class="break">${E.rule}<div class="note">${Hs(E)}</div></td></tr>`)}</tbody></table>`}</div>`}}<//>`}
async function Sm(e,t){let{decisions:n,more:s}=await sa("/api/rules/runs/"+encodeURIComponent(e));if(s)throw new Error("This run has too many decisions to appro\
ve it in part on this page: approve or reject it whole.");return n.filter(_a).map(Gs).filter(o=>!t.includes(o))}function yo({id:e,way:t,onClose:n,onDone:s}){let[
o,r]=I(""),[i,c]=I([]),[g,m,T]=ym[t],E=async()=>{let{undo:w,left:j,warnings:U,state:Q}=await Ie(`/api/rules/runs/${encodeURIComponent(e)}/${t}`,i.length?{reason:o,
only:await Sm(e,i)}:{reason:o});if(U?.length)Ve(`Run ${e} is ${Q==="held"?"approved in part":"approved"}. Not carried out: ${z(U.length,"change")}; ${U[0].description}`);else if(t!==
"undo")Ve(`Run ${e} is ${m.toLowerCase()}${m.endsWith("e")?"d":"ed"}`);else if(w)Ve(`Undoing run ${e}${j.length?`; ${j.length} not changed: ${j[0]}`:""}`);else throw new Error(
`There is nothing to undo${j.length?": "+j[0]:""}`);s()};return a`<${Ke} title=${g} act=${m} wide=${t==="approve"} danger=${t!=="approve"} ready=${t!=="undo"||o.
trim()} onAct=${E} onClose=${n}>
    <p>${T}</p>
    ${t==="approve"&&a`<${jm} id=${e} left=${i} setLeft=${c} />${i.length>0&&a`<p class="warn-ink">${z(i.length,"change")} left out: dropped, and not carried out.</p>`}`}
    <${Oe} name="Reason" hint="Recorded with the run and your name."><input type="text" maxlength="1000" value=${o} onInput=${w=>r(w.target.value)} data-first /><//>
  <//>`}var Tm=e=>e===!1?"The rule has no resume_when, so it does not resume it: it stays paused until a person resumes it.":e?"Nobody has changed it since, so \
the rule may resume it.":"No worker uses this rule now. It resumes the creative only if it has resume_when or active_hours, and nobody else changes it.";function Vu({
creative:e,campaign:t}){let n=me("/api/rules/why/"+encodeURIComponent(e)+Se({campaign:t}),["audit","rules"]);return a`<${Ge} title=${e} crumb=${a`<a href="#/rules">Rules</a> · why`} sub=${n.
data?.campaigns?.includes(e)?"What was changed on the budget and the bid of this campaign, what was decided but not changed, and why.":"What was changed on this\
 creative, what was decided but not changed, and why."} acts=${n.data&&a`<${xr} code=${e} campaign=${n.data.campaigns?.[0]} kept=${n.data.kept} onDone=${n.reload} />`}>
    <${pt} result=${n}>${s=>a`
      ${s.owner&&a`<${ue} level="warn" says=${`Paused by the rule ${s.owner.file}/${s.owner.rule}`} hint=${Tm(s.resumes)} />`}
      ${s.kept&&a`<${ue} level="warn" says=${a`Rules leave it alone: <${sl} s=${s.kept} />`} hint=${s.kept.reason}><${Ca}>usher rules release ${s.creative}<//><//>`}
      <${X} title="Rules that may change it">${s.campaigns.length===0?a`<p class="soft">Not known: usher has never changed it, so it does not know its campaign. The page of its campaign lists them.</p>`:
s.rules.length===0?a`<p class="soft">None.</p>`:a`<ul class="stack">${s.rules.map(o=>a`<li><a href=${"#/rules"+Se({text:o.name})} class="break">${o.name}</a> <span class="tag">${Rs(
o.mode)}</span><${Us} p=${o.paused} /><div class="small soft break">${o.says}</div></li>`)}</ul>`}<//>
      <${X} title="History">${s.pages.length===0?a`<${Te} title="No history">Neither a rule nor a person has changed it through usher.<//>`:a`<ul class="line">${[
...s.pages].reverse().map(o=>a`<${Dm} p=${o} />`)}</ul>`}<//>`}<//>
  <//>`}function Dm({p:e}){if(e.audit){let n=e.audit;return a`<li class=${n.after==="ACTIVE"||n.bidding?.to>n.bidding?.from?"good":"warn"}><b>${n.bidding?xn[n.bidding.
field]+" ":""}${Gt(n.before)} → ${Gt(n.after)}</b>${n.after!==n.wanted?a` <span class="bad-ink">(wanted ${Gt(n.wanted)})</span>`:""}
      <div class="soft break">${[n.rule||n.actor,e.approval?.wanted??n.reason].filter(Boolean).join(": ")}</div>${e.approval&&a`<div class="soft break">approved by ${[
e.approval.by,e.approval.reason].filter(Boolean).join(": ")}</div>`}<${Za} metrics=${n.metrics} /><${Bu} on=${e.together} />
      <div class="small faint"><${ee} at=${e.at} />${n.job&&a` · job <a href=${ae("jobs",n.job)}>${n.job}</a>`}</div></li>`}let t=e.decision;return a`<li class="info"><b>${t.
rule?`${e.file}/${t.rule}`:e.by} ${mu(e)}</b>
    <${Ku} d=${t} /><${Bu} on=${e.together} />${e.outcome&&a`<div class="soft break">${e.outcome}</div>`}<div class="small faint"><${ee} at=${e.at} /> · run <a href=${ae(
"rules","runs",e.evaluation)}>${e.evaluation}</a>${e.by?` · ${e.state==="held"?"approved in part":e.state} by ${e.by}`:""}</div></li>`}var Bu=({on:e})=>e?.length>
0&&a`<div class="soft break">one decision on ${z(e.length,"campaign")}: ${e.slice(0,5).join(", ")}${e.length>5?` and ${C(e.length-5)} more`:""}</div>`;function Yu({names:e,params:t}){let[n,s]=e;return n==="runs"&&s?a`<${Ju} id=${s} key=${s} />`:n==="why"&&s?a`<${Vu} creative=${s} campaign=${t.campaign} key=${s} />`:
n==="backtest"?a`<${Wu} params=${t} />`:a`<${Rm} params=${t} />`}function Rm({params:e}){let t=me("/api/rules",["rules","overview"]),[n,s]=I(""),o=t.data?.stopped,
r=t.data&&a`${t.data.rules.length>0&&a`<a class="button" href="#/rules/backtest">Backtest …</a>`}
    ${o==null?Je("operator")&&a`<button class="danger" onClick=${()=>s("stop")}>Stop all campaign actions …</button>`:Je("admin")&&a`<button class="primary" onClick=${()=>s(
"start")}>Start campaign actions …</button>`}`;return a`<${Ge} title="Rules" sub="Rules that change creatives, budgets and bids automatically, and the switch that stops all campaign actions." acts=${r}>
    <${pt} result=${t}>${i=>a`
      <${Am} stopped=${i.stopped} />
      <${Mm} runs=${i.runs.filter(c=>c.state==="held")} rules=${i.held} />
      <${Om} week=${i.week} rules=${i.rules} runs=${i.runs} />
      <${Im} files=${[...new Set(i.rules.map(c=>c.file))]} />
      <${Fm} rules=${i.rules} text=${e.text} />
      <${Um} runs=${i.runs} />`}<//>
    ${n&&a`<${il} way=${n} onClose=${()=>s("")} onDone=${t.reload} />`}
  <//>`}function Am({stopped:e}){return e==null?a`<${ue} level="good" says="Campaign actions are on" hint="Changes by rules and by hand are carried out." />`:a`<${ue} level="bad" says=${`\
Campaign actions are stopped${e?": "+e:""}`} hint="No creative, budget or bid is changed. Jobs that come meanwhile end without a change." />`}function Mm({runs:e,
rules:t}){let n=r=>{let i=t[r.id];return i?`${i.rules.length>1?"Rules":"Rule"} ${i.rules.join(", ")} of the file ${r.file}, for ${i.campaigns.slice(0,3).join(",\
 ")}${i.campaigns.length>3?` and ${C(i.campaigns.length-3)} more`:""}`:`A run of the file ${r.file}`},[s,o]=I("");return a`${e.map(r=>a`<${ue} key=${r.id} level="warn" says=${a`${n(
r)}: ${Ra(r)}${As(r)===(r.counts?.held??0)&&go(r)===0?", waiting for approval":","} <${Ya} at=${r.at} />`} hint=${r.why}>
      <div class="acts-line">${Je("operator")&&a`<button class="primary small" onClick=${()=>o(r.id)}>Approve …</button>`}<a class="button small" href=${ae("r\
ules","runs",r.id)}>Details</a></div><//>`)}
    ${s&&a`<${yo} id=${s} way="approve" onClose=${()=>o("")} onDone=${()=>{}} />`}`}function Em({w:e,all:t}){if(!e.pauses)return a`<span class="faint">–</span>`;
if(t.error&&!t.data)return a`not known<div class="note">${t.error}</div>`;if(!t.data)return a`<span class="faint">…</span>`;let n=t.data[e.rule];return n?a`${n.
pauses>0&&a`<b>about ${or(n.gross)}</b>`}${n.notKnown.map(s=>a`<div class="note">not known of ${z(s.pauses,"pause")}: ${s.why}</div>`)}`:"not known"}function Om({
week:e,rules:t,runs:n}){let s=me(e.some(m=>m.pauses)?"/api/rules/saved":"",["audit","rules"]);if(t.length===0)return null;let o=m=>e.reduce((T,E)=>T+E[m],0),r=ut()-
7*864e5,i=n.filter(m=>bo(m)&&Date.parse(m.at)>r).length,c=zn(r),g=zn(ut()-864e5);return a`<${X} title="This week" flush side=${a`<span class="faint small">the last seven days</span>`}>
    ${e.length===0?a`<${Te} title="The rules changed nothing">No rule has paused or resumed anything, nothing waits, and each rule can decide.<//>`:a`<${it} name="week" rows=${e} columns=${[
["Rule",m=>m.rule],["Paused",m=>m.pauses,!0],["Resumed",m=>m.resumes,!0],["Budgets, bids",m=>m.numbers,!0],["Waits",m=>m.held,!0],["Cannot decide on",m=>m.blind,
!0],["Saved"]]}>${m=>a`<tr key=${m.rule}>
        <td class="strong break"><a href=${"#/rules"+Se({text:m.rule})}>${m.rule}</a></td>
        <td class="num" data-name="Paused">${C(m.pauses)}</td><td class="num" data-name="Resumed">${C(m.resumes)}</td><td class="num" data-name="Budgets, bids">${C(
m.numbers)}</td>
        <td class="num" data-name="Waits">${m.held?a`<b class="warn-ink">${z(m.held,"run")}</b>`:"0"}</td><td class="num" data-name="Cannot decide on">${m.blind?
a`<b class="warn-ink">${C(m.blind)}</b>`:"0"}</td>
        <td class="whole break" data-name="Saved"><${Em} w=${m} all=${s} /></td></tr>`}<//>`}
    <div class="foot">${z(o("pauses"),"pause")}, ${z(o("resumes"),"resume")}, ${z(o("numbers"),"change")} of budgets and bids.${i>0&&` The stop switch held back\
 ${z(i,"run")}.`}</div>
    ${o("pauses")>0&&a`<div class="foot">Saved is an estimate. For each day of a pause it counts what the creative had spent on the last complete day before the pause, until it was resumed or until now; what it spent all the same is subtracted. Pauses that began before these seven days, and changes of budgets and bids, are not counted.</div>`}
    <div class="foot">What they would have done on these days: ${[...new Set(t.map(m=>m.file))].map(m=>a`<a href=${"#/rules/backtest"+Se({file:m,from:c,to:g})}>backtest of ${m}</a> `)}</div><//>`}
function Im({files:e}){let[t,n]=I("");return e.length===0?null:a`<${X} title="What would they do now?" side=${a`<div>${e.map(s=>a`<button class="small" aria-label=${`\
Preview ${s}`} aria-pressed=${s===t} onClick=${()=>n(s===t?"":s)}>${s}</button> `)}</div>`}>
    ${t?a`<${Pm} file=${t} key=${t} />`:a`<p class="soft">Choose a rule file. It is decided on the platform's reports as they are now, and nothing is changed.</p>`}<//>`}
function Pm({file:e}){let t=me("/api/rules/preview"+Se({file:e}));return a`<${pt} result=${t}>${n=>a`<p>${Ra({counts:n.counts,state:"done"},!0)}. Nothing was changed.</p>
    ${n.decisions.length>0&&a`<${it} name="preview" rows=${qs(n.decisions)} columns=${[["Creative",s=>s.creative||s.campaign],["Would",s=>s.action],["Why",s=>s.
rule]]}>${s=>a`<tr key=${s.key}><td><${Da} d=${s} /></td><td><${Ns} is=${s.action} />${s.wants&&a`<div class="note">${fr(s)}</div>`}</td><td class="whole break">${s.
rule}<div class="note">${Hs(s)}</div></td></tr>`}<//>`}`}<//>`}var Lm={account:", all together",creative:", each creative"},zm=e=>e.extras.filter(t=>["for","min\
_age","until","notify"].includes(t.key));function Fm({rules:e,text:t=""}){if(e.length===0)return a`<${X} title="Rules"><${Te} title="No rules">Rules are written in files, which whoever runs usher lists in its configuration.<${Ca}>usher rules backtest FILE<//><//><//>`;
let[n,s]=I(null),[o,r]=I(null),i=e.filter(c=>`${c.name} ${c.scope} ${c.extras.map(g=>`${g.key} ${g.value}`).join(" ")} ${c.says}`.toLowerCase().includes(t.toLowerCase()));
return a`<${X} title="Rules" flush side=${e.length>8&&a`<div><${An} label="Search rules …" value=${t} onText=${c=>tt({text:c})} /></div>`}>
    <${it} rows=${i} columns=${[["Rule",c=>c.name],["Does",c=>c.says],["Last",c=>c.last&&Date.parse(c.last),!0],["Next",c=>c.next&&Date.parse(c.next),!0]]}>${c=>a`<tr key=${c.
name}>
        <td><span class="id">${c.name}</span> <span class="tag">${Rs(c.mode)}</span><${Us} p=${c.paused} /><div class="note">${c.scope}${Lm[c.level]??""}${c.window&&
` · ${c.window}`}</div>${zm(c).map(g=>a`<div class="note">${g.key} ${g.value}</div>`)}
          ${Je("operator")&&a`<div class="inline-acts"><button class="bare small lane" onClick=${()=>r(c)} aria-label=${`Run ${c.name} now`}>Run now …</button> <button class="bare small lane" onClick=${()=>s(
c)} aria-label=${`${c.paused?"Resume":"Pause"} ${c.name}`}>${c.paused?"Resume this rule …":"Pause this rule …"}</button></div>`}</td>
        <td class="whole">${c.activeHours&&a`<div class="break">pause outside <code>${c.activeHours}</code></div>`}${c.pause&&a`<div class="break">${c.mode==="n\
otify"?"notify":"pause"} when <code>${c.pause}</code></div>`}${c.resume&&a`<div class="break">resume when <code>${c.resume}</code></div>`}${c.bidding&&a`<${Hm} b=${c.
bidding} />`}</td>
        <td class="num" data-name="Last"><${ee} at=${c.last} /></td>
        <td class="num" data-name="Next"><div>${c.next?a`<${ee} at=${c.next} />`:a`<span class="faint">on request</span>`}${c.schedule&&a`<div class="note">${c.
schedule}</div>`}</div></td></tr>`}<//>${n&&a`<${qm} rule=${n} onClose=${()=>s(null)} />`}${o&&a`<${Wm} rule=${o} onClose=${()=>r(null)} />`}${i.length===0&&a`<${Te} title="No rule matches" />`}<//>`}
var Nm={act:"What it decides is carried out at once: it may change creatives, budgets or bids.",approve:"What it decides waits until somebody approves it.",notify:"\
It reports what it finds, and changes nothing.",observe:"It records what it would do, and changes nothing."};function Wm({rule:e,onClose:t}){let n=async()=>{let{
id:s}=await Ie("/api/rules/run",{file:e.file,rule:e.name.slice(e.file.length+1)});location.hash=ae("rules","runs",s)};return a`<${Ke} title=${`Run rule ${e.name}\
 now?`} act="Run" onAct=${n} onClose=${t}>
    <p>It decides on the platform's reports as they are now. ${Nm[e.mode]}</p>
  <//>`}function qm({rule:e,onClose:t}){let[n,s]=I(""),o=e.paused?"resume":"pause",r=async()=>{await Ie(`/api/rules/${o}`,{file:e.file,rule:e.name.slice(e.file.
length+1),reason:n}),Ve(`Rule ${e.name} is ${o}d`)};return a`<${Ke} title=${`${e.paused?"Resume":"Pause"} rule ${e.name}?`} act=${e.paused?"Resume":"Pause"} danger=${!e.
paused} ready=${n.trim()} onAct=${r} onClose=${t}>
    <p>${e.paused?"It decides again at its next time. Nothing of the pause is made up for.":"It takes no decisions until somebody resumes it. Creatives that it \
has paused stay paused; what it decided before is carried out."}</p>
    <${Oe} name="Reason" hint="Shown beside the rule, and recorded in the audit with your name."><input type="text" required maxlength="1000" value=${n} onInput=${i=>s(
i.target.value)} data-first /><//>
  <//>`}function Hm({b:e}){return a`${e.decrease&&a`<div class="break">decrease the ${e.number} when <code>${e.decrease}</code></div>`}${e.increase&&a`<div class="break">increase the ${e.
number} when <code>${e.increase}</code></div>`}<div class="note">${e.by}</div>`}function Um({runs:e}){return a`<${X} title="Runs" flush side=${a`<span class="faint small">newest first</span>`}>
    ${e.length===0?a`<${Te} title="No runs yet">Rules run on their schedule, or at once by Run now.<//>`:a`<${it} name="runs" rows=${e.slice(0,50)} columns=${[[
"Run",t=>t.id],["State",t=>t.state],["Decisions",t=>Object.values(t.counts??{}).reduce((n,s)=>n+s,0)],["When",t=>Date.parse(t.at),!0]]}>${t=>a`<tr key=${t.id}>
        <td><a class="id" href=${ae("rules","runs",t.id)}>${t.id}</a><div class="note">${t.undoOf?`undoes ${t.undoOf}`:t.rule?`${t.file}/${t.rule}`:t.file}${t.event?
" · event":""}</div></td>
        <td><${Fs} is=${t.state} /></td>
        <td class="whole">${Ra(t)}<div class="note">${t.by?`${t.by}${t.reason?": "+t.reason:""}`:t.why}</div></td>
        <td class="num" data-name="When"><${ee} at=${t.at} /></td></tr>`}<//>
      <div class="foot">${z(e.length,"run")}${e.length>=100?", newest only":""}</div>`}<//>`}function il({way:e,onClose:t,onDone:n}){let[s,o]=I(""),r=e==="stop",
i=async()=>{await Ie(r?"/api/stop":"/api/start",r?{reason:s}:{}),Ve(r?"Campaign actions are stopped":"Campaign actions are started"),n()};return a`<${Ke} title=${r?
"Stop all campaign actions?":"Start campaign actions again?"} act=${r?"Stop":"Start"} danger=${r} ready=${!r||s.trim()} onAct=${i} onClose=${t}>
    <p>${r?"No job changes a creative, budget or bid, whether it comes from a rule or a person. Running jobs stop before their next call. Only an admin can star\
t campaign actions again.":"Jobs that came meanwhile have ended and do not run again. The next run of each rule decides anew."}</p>
    ${r&&a`<${Oe} name="Reason" hint="Shown to everyone, and recorded in the audit."><input type="text" required maxlength="1000" value=${s} onInput=${c=>o(c.target.
value)} data-first /><//>`}
  <//>`}function Qu({params:e}){let t=e.span==="day"?"day":"",n=me("/api/overview"+Se({span:t}),["overview"]);return me("/api/replays",["replays"]),me("/api/marks"),me(
"/api/workers"),a`<${Ge} title="Overview" sub="What failed, what waits, and what happened in the last 24 hours.">
    <${pt} result=${n}>${s=>a`${!s.counted&&a`<${ue} says="The jobs are being counted." hint="usher has just started, and still reads the records: the numbers of jobs below grow until it has read them all." />`}<${Bm} needs=${s.
needs} lanes=${s.lanes} /><${xo} />
      <div class="grid two-one">
        <div class="stack"><${e$} rows=${s.changes} before=${s.before} /></div>
        <div class="stack"><${t$} runs=${s.rules} /><${n$} rows=${s.taken} /></div>
      </div>
      <${Vm} o=${s} />
      <div class="grid two-one">
        <div class="stack"><${Xm} t=${s.throughput} span=${t} /><${Qm} hours=${s.hours} /></div>
        <div class="stack"><${a$} p=${s.platform} /><${o$} lanes=${s.lanes} /></div>
      </div><${Lu} />`}<//>
  <//>`}function Bm({needs:e,lanes:t}){let[n,s]=I(null),o=()=>s(null),r=ar().state?.services.some(i=>i.since);return e.length?a`<section class="card" aria-label="What needs attention"><div class="flush incidents">${e.
map(i=>a`<${Gm} key=${i.subject||i.says+i.about} n=${i} onAct=${()=>s(i)} />`)}</div>
    ${n&&a`<${Jm} n=${n} lanes=${t} onClose=${o} />`}</section>`:a`<${ue} level=${r?"":"good"} says=${r?"Nothing else needs attention.":"Nothing needs attention\
."} hint="No failed jobs, no run that waits for approval, and no lane is stalled." />`}var Zu={"Fix and replay":"operator",Approve:"operator","Look now":"operat\
or","Approve export":"operator","Resume lane":"admin","Start campaign actions":"admin"};function Jm({n:e,lanes:t,onClose:n}){switch(e.act){case"Fix and replay":
return a`<${Xa} cause=${{class:e.class,message:e.says,hint:e.hint,count:e.count}} filter=${{group:e.subject}} onClose=${n} />`;case"Look now":return a`<${br} feed=${e.
subject} way="look" onClose=${n} />`;case"Approve export":return a`<${br} feed=${e.subject} versions=${e.versions} way="approve" onClose=${n} />`;case"Approve":
return a`<${yo} id=${e.subject} way="approve" onClose=${n} onDone=${()=>{}} />`;case"Resume lane":return a`<${ep} lane=${t.find(s=>s.name===e.subject)??{name:e.
subject,paused:"?"}} onClose=${n} />`}return a`<${il} way="start" onClose=${n} onDone=${()=>{}} />`}function Gm({n:e,onAct:t}){let n=Zu[e.act]&&Je(Zu[e.act]);return a`<div class="incident ${e.
level}">
    <div class="what"><div class="says">${e.class?a`<span title=${e.class}>${Ft(e.class)}</span>${Kn(e.target)&&`: ${Kn(e.target,e.targetName)}`}`:a`<${Nt} text=${e.
says} />`}</div>
      ${e.class?a`<div class="break"><${Nn} kind=${e.kind} target=${e.target} name=${e.targetName} />: <${xt} text=${e.says} /></div>`:e.about&&a`<div class="soft"><${Nt} text=${e.
about} /></div>`}
      <${ia} text=${e.hint} of=${e.class} /></div>
    <div class="facts-line">${e.count>0&&a`<span class="nowrap"><b>${C(e.count)}</b> ${e.of}${e.count>1&&"s"}</span>`}${e.since&&a`<${Ya} at=${e.since} />`}${e.
recent&&a`<${Km} counts=${e.recent} />`}</div>
    <div class="acts">${n&&a`<button class="primary small" onClick=${t}>${e.act} …</button>`}
      ${e.where!=="/"&&a`<a class="button small" href=${"#"+e.where}>${n?"Details":"Open"}</a>`}</div>
  </div>`}function Km({counts:e}){let t=Math.max(1,...e),n=e.reduce((s,o)=>s+o,0);return a`<span class="nowrap" title="in each five minutes of the last hour"><svg class="trend" width="48" height="16" viewBox="0 0 48 16" role="img" aria-label=${`${z(
n,"letter")} in the last hour`}>
    ${e.map((s,o)=>a`<rect key=${o} x=${o*4} y=${16-Math.max(1,15*s/t)} width="3" height=${Math.max(1,15*s/t)} />`)}</svg> <span class="faint small">${C(n)} in 1 h</span></span>`}
function Vm({o:e}){let t=s=>e.states[s]??0,n=e.hours.reduce((s,o)=>({done:s.done+o.done,failed:s.failed+o.failed}),{done:0,failed:0});return a`<div class="figures">
    <${jt} name="Throughput" meaning=${We.rows} value=${e.throughput.rows===null?"–":Jn(Math.round(e.throughput.rows))} unit="rows/s" note=${e.throughput.bytes===
null?"not measured yet":Ds(e.throughput.bytes)+"/s sent"} />
    <${jt} name="Running" meaning=${We.running} value=${C(t("running"))} note=${t("retrying")?z(t("retrying"),"waits for its next attempt","wait for their next \
attempt"):"none waits for its next attempt"} href="#/jobs?state=running,retrying" />
    <${jt} name="Queued" meaning=${We.queued} value=${C(t("queued"))} note="not started yet" href="#/jobs?state=queued" />
    <${jt} name="Done in 24 h" meaning=${We.done} value=${C(n.done)} note="jobs" href="#/jobs?state=done" />
    <${jt} name="Dead letters" meaning=${We.letters} value=${C(e.letters)} note=${n.failed?`${C(n.failed)} failed in 24 h`:"none failed in 24 h"} href="#/letters" bad=${e.
letters>0} />
  </div>`}function Ym(){let e=me("/api/marks");return ke(()=>{let t=setInterval(()=>document.hidden||e.reload(),3e4);return()=>clearInterval(t)},[]),e.data?.marks}
var Zm=[["","15 min"],["day","24 h"]];function Xm({t:e,span:t}){let n=Ym(),s=en(()=>[e.series.map(o=>o.at),e.series.map(o=>o.read),e.series.map(o=>o.accepted)],
[e]);return a`<${X} title="Throughput" side=${a`<${ja} label="Time" value=${t} onPick=${o=>tt({span:o})} options=${Zm} />`}>
    <${Ta} data=${s} values=${Jn} min=${10} unit="rows/s" counts marks=${n} label=${`Rows a second of all workers over the last ${t?"24 hours":"15 minutes"}; no\
w ${e.rows===null?"not known":C(e.rows)}`}
      lines=${[["read","--c-suppressed"],["accepted","--c-accepted",{filled:"--good-soft"}]]} /><//>`}function Qm({hours:e}){let t=en(()=>[e.map(n=>n.at),e.map(
n=>n.done+n.failed||null),e.map(n=>n.failed||null)],[e]);return a`<${X} title="Finished jobs" side=${a`<span class="faint small">by hour, last 24</span>`}>
    <${Ta} height=${140} data=${t} values=${Jn} min=${4} unit="jobs" counts label="Finished jobs by hour"
      lines=${[["finished","--c-accepted",{paths:Ui(),filled:"--c-accepted"}],["failed","--c-refused",{paths:Ui(),filled:"--c-refused"}]]} /><//>`}var Xu=e=>Mt(
{target:e.target,name:e.targetName});function e$({rows:e,before:t}){return a`<${X} title="What changed" flush side=${a`<a class="small" href="#/audiences">Audiences</a>`}>
    ${e.length===0?a`<${Te} title=${t?"The newest jobs have changed no audience":"No job has changed an audience"}>${t&&a`They were submitted since <${ee} at=${t} />.`}<//>`:
a`<${it} name="changes" rows=${e} columns=${[["Audience",Xu],["Change"],["When",n=>Date.parse(n.finished),!0]]}>${n=>a`<tr key=${n.id}><td><a class="id" href=${ae(
"audiences",n.target)}>${Xu(n)}</a></td>
        <td class="whole"><a href=${ae("jobs",n.id)}>${la(n)?a`<${Ls} r=${n} />`:`${n.kind.endsWith(".remove")?"removal":"upload"} of ${z(n.accepted,"id")}; no \
ledger says what it changed`}</a></td><td class="num" data-name="When"><${ee} at=${n.finished} /></td></tr>`}<//>${t&&a`<div class="foot">of jobs that were submitted since <${ee} at=${t} /></div>`}`}<//>`}
function t$({runs:e}){return a`<${X} title="What the rules did" flush side=${a`<a class="small" href="#/rules">Rules</a>`}>
    ${e.length===0?a`<${Te} title="The rules changed nothing" />`:a`<ul class="causes">${e.map(t=>a`<li key=${t.id}>
      <div><a class="strong" href=${ae("rules","runs",t.id)}>${t.rule?`${t.file}/${t.rule}`:t.file}</a> <${Fs} is=${t.state} /></div>
      <div>${Ra(t)}</div><div class="note"><${ee} at=${t.at} />${t.by&&` · ${t.by}`}</div></li>`)}</ul>`}<//>`}function n$({rows:e}){return a`<${X} title="What feeds took" flush side=${a`<a class="small" href="#/audiences">Feeds</a>`}>
    ${e.length===0?a`<${Te} title="No feed took an export" />`:a`<ul class="causes">${e.map(t=>a`<li key=${t.feed}>
      <div><a class="strong" href=${ae("jobs",t.job)}>${t.feed}</a>: ${t.rows>0?z(t.rows,"row"):"an export"} for <a href=${ae("audiences",t.audience)}>${t.label}</a></div>
      ${vo(t.state)&&a`<div class="bad-ink">Not uploaded: its job ${t.state==="failed"?a`has failed. ${Ft(t.error?.class)}`:"was cancelled"}</div>`}
      <div class="note"><${ee} at=${t.at} /></div></li>`)}</ul>`}<//>`}function a$({p:e}){let[t,n]=I(!1),s=Object.entries(e.answers??{}).sort();return a`<${X} title="Platform" side=${a`<span class="badge ${e.
up?"good":"bad"}">${e.up?"up":e.refused?"login refused":"down"}</span>`}>
    <dl class="facts">
      <dt>Address</dt><dd class="mono">${e.url}</dd>
      <dt>Advertiser</dt><dd class="mono">${e.advertiser}</dd>
      <dt>Limit</dt><dd>${un(e.limit)} calls/s${e.limit!==e.configured&&a` <span class="tag">set by hand</span>`}
        ${Je("admin")&&a` <button class="bare small" onClick=${()=>n(!0)} aria-label="Set the limit">Set</button>`}</dd>
      <dt>Asks to wait</dt><dd>${e.retryAfter?a`until <${ee} at=${e.retryAfter} />`:"no"}</dd>
      <dt>Workers</dt><dd>${C(e.workers)}</dd>
      <dt>Answers</dt><dd>${s.length===0?a`<span class="faint">none yet</span>`:s.map(([o,r])=>a`<span class="nowrap"><span class="tag">${o==="none"?"no answer":
o}</span> ${C(r)}</span> `)}
        <div class="faint small">counted by this process since it started</div></dd>
    </dl>${t&&a`<${s$} p=${e} onClose=${()=>n(!1)} />`}<//>`}function s$({p:e,onClose:t}){let[n,s]=I(""),[o,r]=I(""),i=async()=>{await Ie("/api/limit",{perSecond:Number(
n)||0,reason:o}),Ve(Number(n)?`The limit is ${un(Number(n))} calls a second`:"The configured limit applies again")};return a`<${Ke} title="Calls a second" act="Set" ready=${o.
trim()} onAct=${i} onClose=${t}>
    <p>The limit for all workers together; it applies within seconds. The configured limit is ${un(e.configured)}.</p>
    <${Oe} name="Limit" hint="Leave empty to use the configured limit."><input type="number" min="0" step="any" inputmode="decimal" value=${n} onInput=${c=>s(c.
target.value)} data-first /><//>
    <${Oe} name="Reason" hint="Recorded in the audit with your name."><input type="text" required maxlength="1000" value=${o} onInput=${c=>r(c.target.value)} /><//>
  <//>`}function o$({lanes:e}){let[t,n]=I(null);return a`<${X} title="Lanes" flush side=${Je("admin")&&a`<button class="bare small" onClick=${()=>n(e.find(s=>s.
paused)??e[0])}>Pause or resume …</button>`}>
    <${it} look="tight" name="lanes" rows=${e} columns=${[["Lane",s=>s.name],["Waiting",s=>s.waiting,!0,We.waiting],["Running",s=>s.running,!0,We.taken],["Oldes\
t",s=>s.oldest&&-Date.parse(s.oldest),!0]]}>${s=>a`<tr key=${s.name}><td><span class="strong">${s.name}</span><div class="note">${s.paused?a`<span class="bad-ink">paused by ${s.
paused}</span>`:z(s.slots,"slot")+" here"}</div></td>
        <td class="num">${C(s.waiting)}</td><td class="num">${C(s.running)}</td>
        <td class="num">${s.oldest?a`<span title=${zt(s.oldest)}>${ho(s.oldest).replace(" ago","")}</span>`:a`<span class="faint none">–</span>`}</td></tr>`}<//>${t&&
a`<${ep} lane=${t} lanes=${e} onClose=${()=>n(null)} />`}<//>`}function ep({lane:e,lanes:t,onClose:n}){let[s,o]=I(e),[r,i]=I(""),c=s.paused?"resume":"pause",g=async()=>{
await Ie(`/api/lanes/${s.name}/${c}`,{reason:r}),Ve(`Lane ${s.name} is ${c}d`)};return a`<${Ke} title=${`${s.paused?"Resume":"Pause"} lane ${s.name}?`} act=${s.
paused?"Resume":"Pause"} danger=${!s.paused} ready=${r.trim()} onAct=${g} onClose=${n}>
    ${t&&a`<${Oe} name="Lane"><select value=${s.name} onChange=${m=>o(t.find(T=>T.name===m.target.value))}>${t.map(m=>a`<option value=${m.name} selected=${m.name===
s.name}>${m.name}${m.paused?" (paused)":""}</option>`)}</select><//>`}
    <p>${s.paused?"Workers take its jobs again.":"Within seconds, workers stop taking jobs from this lane. Running jobs continue; waiting jobs say why they wait\
."}</p>
    <${Oe} name="Reason" hint="Recorded in the audit with your name."><input type="text" required maxlength="1000" value=${r} onInput=${m=>i(m.target.value)} data-first /><//>
  <//>`}var tp=e=>JSON.stringify(e,null,2),Ks=e=>z(e,"letter");function np({letter:e,onClose:t,onEdit:n}){return a`<${Ke} title=${`Letter ${e.seq}`} wide onClose=${t}>
    <${ue} level="bad" says=${a`<span title=${e.class}>${Ft(e.class)}</span>: <${xt} text=${e.message} />`} hint=${e.hint} of=${e.class} />
    <dl class="facts">
      <dt>Job</dt><dd>${e.id?a`<a href=${ae("jobs",e.id)} onClick=${t}>${e.id}</a>`:"unreadable"}${e.run>1?`, run ${e.run}`:""}</dd>
      <dt>Does</dt><dd><${Nn} kind=${e.kind} target=${e.target} /></dd>
      <dt>Failed</dt><dd>${zt(e.at)}</dd>
      <dt>Attempts</dt><dd>${z(e.attempts,"attempt")}${e.crashes?`, ${z(e.crashes,"crash","crashes")}`:""}</dd>
      ${e.edited&&a`<dt>Edited</dt><dd>${(e.edited.fields??[]).map(s=>Ka(s.slice(1).replaceAll("/","."))).join(", ")} by ${e.edited.by}${e.edited.reason?`: ${e.
edited.reason}`:""}</dd>`}
    </dl>
    ${e.job?a`<dl class="facts">${Js(e.job).filter(([s])=>!["id","v"].includes(s)).slice(0,12).map(([s,o])=>a`<dt>${Ka(s)}</dt><dd class="break">${da(o)}</dd>`)}</dl>
      <details><summary>The job as it was published</summary><pre class="block">${tp(e.job)}</pre></details>`:a`<p class="soft">The job cannot be read.</p>`}
    ${Je("operator")&&e.job&&a`<div><button type="button" onClick=${n}>Edit this job …</button></div>`}
  <//>`}function ap({filter:e,count:t,onClose:n,onDone:s}){let[o,r]=I(""),i=async()=>{let{discarded:c}=await Ie("/api/letters/discard",{filter:e,reason:o});Ve(`${Ks(
c)} discarded`),s()};return a`<${Ke} title=${`Discard ${Ks(t)} for good?`} act=${`Discard ${Ks(t)}`} danger ready=${o.trim()} onAct=${i} onClose=${n}>
    <p>Discarded letters cannot be replayed. The jobs' records are kept.</p>
    <${Oe} name="Reason" hint="Recorded in the audit with your name."><input type="text" required maxlength="1000" value=${o} onInput=${c=>r(c.target.value)} data-first /><//>
  <//>`}function sp({filter:e,letter:t,onClose:n,onDone:s}){let[o,r]=I(t?tp(t.job):""),[i,c]=I(""),[g,m]=I(""),[T,E]=I(""),[w,j]=I(null),U=()=>{if(!t)return{set:{
[i.trim()]:g}};try{return{job:JSON.parse(o)}}catch{throw new Error("This is not a complete job: check its commas, quotes and brackets.")}},Q=async()=>{let we={...U(),
reason:T};if(!w)throw j(await Ie("/api/letters/edit",{filter:e,edit:{...we,dryRun:!0}})),new Error("");let ie=await Ie("/api/letters/edit",{filter:e,edit:we});if(ie.
edited===0)throw new Error(ie.says||"The edit changes nothing.");Ve(`${Ks(ie.edited)} edited${ie.refused?`, ${C(ie.refused)} could not be edited`:""}`),s(ie.now??
[])},re=we=>ie=>{we(ie.target.value),j(null)};return a`<${Ke} title=${t?`Edit the job of letter ${t.seq}`:"Edit all selected letters"} wide
      act=${w?`Edit ${Ks(w.edited)}`:"Preview"} ready=${w?w.edited>0&&T.trim():t||i.trim()} onAct=${Q} onClose=${n}>
    ${t?a`<${Oe} name="Job" hint="Ids are shown as their number, and the secret part of an address as ?…: keep them as they are shown, and the job keeps its values."><textarea class="code" spellcheck=${!1} value=${o} onInput=${re(
r)} data-first></textarea><//>`:a`<${Oe} name="Field" hint="Its name in the job, such as segment or source.column."><input type="text" class="mono" value=${i} onInput=${re(
c)} data-first /><//>
        <${Oe} name="Value" hint="The new value. The word null removes the field."><input type="text" class="mono" value=${g} onInput=${re(m)} /><//>`}
    ${w&&a`<${ue} level=${w.refused?"warn":"good"} says=${`${Ks(w.edited)} to be edited${w.same?`, ${C(w.same)} unchanged`:""}${w.refused?`, ${C(w.refused)} ref\
used`:""}`} hint=${w.says} />
      ${w.example&&a`<div class="small soft">Changed fields: ${w.example.fields.map(we=>a`<span class="tag mono">${we}</span> `)}</div>`}`}
    <${Oe} name="Reason" hint="Recorded in the audit with your name."><input type="text" maxlength="1000" value=${T} onInput=${we=>E(we.target.value)} /><//>
  <//>`}var cl=50,r$=20,ll="Sort the rows on this page",i$=e=>({id:e.id,kind:e.kind,class:e.class,group:e.group,match:e.match,replay:e.replay}),ul=e=>Object.fromEntries(
Object.entries(e).filter(([,t])=>t)),Vs=e=>tt({after:"",page:"",...e}),op=(e,t)=>"/api/letters"+Se({...e,after:t,limit:cl});function rp({params:e}){let t=i$(e),
n={...t,group:""},s=me("/api/letters/groups"+Se(n),["letters"]),o=me(op(t,ip(e).after),["letters"]),r=me("/api/replays",["replays"]),c=[o,r].every(w=>w.data||w.
stale||w.error)&&(s.data?.groups??s.stale?.groups),g=c?c.reduce((w,j)=>w+j.count,0):0,m=c&&c.find(w=>w.group===e.group),T=e.group?m?.count??0:g,E=Object.keys(ul(
t)).length>0;return a`<${Ge} title="Dead letters" sub="Failed jobs by cause. Fix the cause, then replay them: each job continues where it stopped.">
    <div class="filters">
      <${An} label="Search target or message …" value=${e.match} onText=${w=>Vs({match:w,group:""})} />
      <${Vn} label="Cause" value=${e.class} onPick=${w=>Vs({class:w,group:""})} options=${[["","All causes"],...Object.entries(Fn).map(([w,{title:j}])=>[w,j])]} />
      <${Vn} label="Kind" value=${e.kind} onPick=${w=>Vs({kind:w,group:""})} options=${el} />
    </div>
    ${e.replay&&a`<div><span class="tag">failed again after a replay</span> <button class="small bare" onClick=${()=>Vs({replay:""})}>show all letters</button></div>`}
    ${e.id&&a`<div><span class="tag">job ${e.id}</span> <button class="small bare" onClick=${()=>Vs({id:""})}>show all jobs</button></div>`}
    ${s.error&&a`<${hn} says=${s.error} retry=${s.reload} />`}
    ${c?c.length===0?a`<${xo} /><div class="card">${E?a`<${Te} title="No dead letter matches">Remove a filter to see other letters.<//>`:a`<${Te} title="No dead letters">No job has failed.<//>`}</div>`:
a`<div class="grid two-one letters"><div class="stack"><${c$} filter=${t} total=${T} params=${e} key=${JSON.stringify(t)} /></div>
        <div class="stack"><${xo} /><${l$} list=${c} filter=${ul(n)} picked=${e.group} /></div></div>`:!s.error&&a`<div class="card"><${yn} /></div>`}
  <//>`}function l$({list:e,filter:t,picked:n}){let[s,o]=I(null),[r,i]=I(!1),c=r?e:e.slice(0,8);return a`<${X} title="Causes" flush side=${a`<span class="faint small">${z(
e.length,"cause")}${e.length>1?", what costs most first":""}</span>`}>
    <ul class="causes">${c.map(g=>a`<li key=${g.group}>
        <div><b title=${g.class}>${Ft(g.class)}</b> <span class="tag" title=${We.letters}>${z(g.count,"letter")}</span></div>
        <div class="note"><${Nn} kind=${g.kind} target=${g.target} name=${g.targetName} /> · last <${ee} at=${g.last} /></div>
        <div class="break"><${xt} text=${g.message} /></div><${ia} text=${g.hint} of=${g.class} />
        <div class="acts-line">${Je("operator")&&a`<button class="small" onClick=${()=>o(g)} aria-label=${`Fix and replay ${z(g.count,"letter")}: ${g.message}`}>Fix and replay …</button>`}
          <button class="small" aria-pressed=${n===g.group} onClick=${()=>Vs({group:n===g.group?"":g.group})}>${n===g.group?"Show all":"Only these"}</button></div>
      </li>`)}</ul>
    ${e.length>c.length&&a`<div class="foot"><button class="small" onClick=${()=>i(!0)}>Show all ${C(e.length)} causes</button></div>`}
    ${s&&a`<${Xa} cause=${s} filter=${{...t,group:s.group}} onClose=${()=>o(null)} />`}<//>`}var dl=new Map,yr={all:!1,seqs:[]};function d$(e,t){let n=t.letters.
map(r=>r.seq),s=n[0]??1/0,o=t.more?n.at(-1)??1/0:0;return e.filter(r=>n.includes(r)||r<o||r>s)}function ip(e){let t=(e.after??"").split(",").filter(Boolean),n=t.
length?Math.max(2,Number(e.page)||2):1,s=(o,r)=>"#/letters"+Se({...e,after:o.slice(-r$).join(),page:o.length?r:""});return{page:n,after:t.at(-1)??"",earlier:n>1&&
s(t.slice(0,-1),n-1),later:o=>s([...t,o],n+1)}}function c$({filter:e,total:t,params:n}){let{page:s,after:o,earlier:r,later:i}=ip(n),c=JSON.stringify(e),g=dl.get(
c)??yr,[,m]=I(0),T=de=>{dl.set(c,de),m($e=>$e+1)},[E,w]=I(null),j=me(op(e,o),["letters"]),U=j.data??j.stale,Q=g.all?t:g.seqs.length,re=g.all?ul(e):{seqs:g.seqs},
we=()=>T(yr),ie=de=>{let $e=g.all?U.letters.map(Wt=>Wt.seq):g.seqs;T({all:!1,seqs:$e.includes(de)?$e.filter(Wt=>Wt!==de):[...$e,de]})};if(ke(()=>{let de=dl.get(
c)??yr;if(!j.data||de.all)return;let $e=d$(de.seqs,j.data);$e.length<de.seqs.length&&T({all:!1,seqs:$e})},[j.data]),!U)return j.error?a`<${hn} says=${j.error} retry=${j.
reload} />`:a`<div class="card"><${yn} /></div>`;let Ye=U.letters.map(de=>de.seq),an=g.all||Ye.length>0&&Ye.every(de=>g.seqs.includes(de)),ht=Je("operator");return a`${j.
error&&a`<${hn} says=${j.error} retry=${j.reload} />`}<section class="card" inert=${!j.data} aria-busy=${!j.data}>
      <div class="top"><h2>Letters</h2>${ht&&t>0&&a`<button class="small" onClick=${()=>T({all:!0,seqs:[]})}>Select all ${C(t)} that match</button>`}</div>
      <div class="flush"><${it} look=${`cards ${ht?"ticks":""}`} rows=${U.letters} columns=${[["Job",de=>de.id,!1,ll],["Why",de=>de.class,!1,ll],["When",de=>Date.
parse(de.at),!0,ll]]}
        first=${ht&&a`<th class="tick"><input type="checkbox" aria-label="Select this page" checked=${an} onChange=${()=>T(an?yr:{all:!1,seqs:[...new Set([...g.
seqs,...Ye])]})} /></th>`}>${de=>a`<tr key=${de.seq}>
          ${ht&&a`<td class="tick"><input type="checkbox" aria-label=${`Select letter ${de.seq}`} checked=${g.all||g.seqs.includes(de.seq)} onChange=${()=>ie(de.
seq)} /></td>`}
          <td><button class="bare id small" onClick=${()=>w({show:de})}>${de.id??"no id"}</button><div class="note"><${Nn} kind=${de.kind} target=${de.target} name=${de.
targetName} /></div></td>
          <td class="whole"><b title=${de.class}>${Ft(de.class)}</b><div class="break"><${xt} text=${de.message} /></div></td>
          <td class="num" data-name="When"><div><${ee} at=${de.at} /><div class="note">letter ${de.seq}</div></div></td></tr>`}<//></div>
      ${Ye.length===0&&a`<${Te} title="No letters here any more">They were replayed or discarded.<//>`}
      ${(s>1||U.more)&&a`<div class="foot"><span class="acts">${r?a`<a class="button small" href=${r}>Newer</a>`:a`<button class="small" disabled>Newer</button>`}</span>
        <span>page ${C(s)}${t>cl?` of ${C(Math.max(s,Math.ceil(t/cl)))}`:""}, newest first</span>
        <span class="acts">${U.more?a`<a class="button small" href=${i(Ye.at(-1))}>Older</a>`:a`<button class="small" disabled>Older</button>`}</span></div>`}
    </section>
    ${ht&&Q>0&&a`<div class="selection" role="group" aria-label="Actions on the selected letters">
      <span class="says"><b>${z(Q,"letter")}</b> selected${g.all?", all that match":""}</span>
      <button class="bare" onClick=${we}>Clear</button>
      <button class="danger" onClick=${()=>w({discard:!0})}>Discard …</button>
      <button onClick=${()=>w({edit:!0})}>Edit …</button>
      <button class="primary" onClick=${()=>w({fix:!0})}>Fix and replay …</button></div>`}
    ${E?.fix&&a`<${Xa} cause=${{count:Q,message:g.all?"All letters that match":"The selected letters"}} filter=${re} onClose=${()=>w(null)} onDone=${we} />`}
    ${E?.show&&a`<${np} letter=${E.show} onClose=${()=>w(null)} onEdit=${()=>w({edit:!0,letter:E.show})} />`}
    ${E?.discard&&a`<${ap} filter=${re} count=${Q} onClose=${()=>w(null)} onDone=${we} />`}
    ${E?.edit&&a`<${sp} filter=${E.letter?{seqs:[E.letter.seq]}:re} letter=${E.letter??(g.seqs.length===1&&U.letters.find(de=>de.seq===g.seqs[0]))}
      onClose=${()=>w(null)} onDone=${de=>!E.letter&&!g.all&&T({all:!1,seqs:de})} />`}`}var lp=e=>e.spend?.budget>0?e.spend.spent/e.spend.budget:null,hl=.95;function u$({c:e}){return e.at?e.error&&e.active+e.paused+e.pending===0?a`<span class="bad-ink small break">${e.
error}</span>`:a`<span class="nowrap"><b class=${e.active?"good-ink":""}>${C(e.active)}</b> active${e.paused>0&&a`, <b class="warn-ink">${C(e.paused)}</b> paused`}${e.
pending>0&&`, ${C(e.pending)} pending`}</span>
    <div class="bar thin" aria-hidden="true">${[["active","c-accepted"],["paused","c-junk"],["pending","c-duplicate"]].map(([t,n])=>e[t]>0&&a`<i class=${n} style=${{
flexGrow:e[t]}}></i>`)}</div>`:a`<span class="faint">being read …</span>`}function p$({all:e}){return e.length?e.map(t=>a`<div class="small break">${t.rule?a`rule <a href=${"\
#/rules"+Se({text:t.rule})}>${t.rule}</a>`:t.actor||"outside usher"}${e.length>1&&a` <span class="faint">${C(t.count)}</span>`}</div>`):a`<span class="faint none">–</span>`}
function h$({s:e}){if(!e)return a`<span class="faint">not known</span>`;let t=e.budget>0?e.spent/e.budget:null;return a`<div class="spend" title=${`on ${e.date}`}><span class="nowrap">${sr(
e.spent)}${t!==null&&` of ${sr(e.budget)}`} ${e.currency}</span>
    ${t!==null&&a`<meter class=${t>=hl?"high":""} min="0" max="1" value=${Math.min(t,1)} aria-label=${`${Math.round(t*100)} % of the budget of ${e.date} is spen\
t`}></meter><span class="small ${t>=hl?"warn-ink":"faint"}">${Math.round(t*100)} %</span>`}</div>`}var f$=[{key:"name",title:"Campaign",card:!1,value:e=>e.code,
cell:e=>a`<a class="id" href=${ae("campaigns",e.code)}>${e.code}</a>`},{key:"creatives",title:"Creatives",num:!1,value:e=>e.at?-e.paused:null,meaning:"Sort by t\
he number of paused creatives",cell:e=>a`<${u$} c=${e} />`},{key:"by",title:"Paused by",value:e=>e.pausedBy[0]&&(e.pausedBy[0].rule||e.pausedBy[0].actor||"~"),cell:e=>a`<div><${p$} all=${e.
pausedBy} /></div>`},{key:"spend",title:"Spend and budget",value:lp,num:!1,meaning:"Sort by the share of the budget that is spent",cell:e=>a`<${h$} s=${e.spend} />`},
{key:"held",title:"Held",num:!0,value:e=>e.held,meaning:"Changes that wait for approval",cell:e=>e.held?a`<a class="badge warn" href=${ae("rules","runs",e.heldRun)}>${C(
e.held)} held</a>`:a`<span class="faint none">–</span>`},{key:"last",title:"Last change",num:!0,value:e=>e.last&&Date.parse(e.last.at),cell:e=>e.last?a`<span title=${`${e.
last.what}: ${e.last.reason}`}><${ee} at=${e.last.at} /><div class="note">${e.last.by}</div></span>`:a`<span class="faint none">–</span>`}],pl={"":()=>!0,paused:e=>e.
paused>0,held:e=>e.held>0,spent:e=>lp(e)>=hl};function dp({params:e}){let t=me("/api/campaigns",["campaigns","rules"]);return a`<${Ge} title="Campaigns" sub="What serves, what is paused and by whom, and how much of the day's budget is spent. Spend, and what was changed outside usher, is at most some minutes old.">
    <${pt} result=${t}>${({campaigns:n,spendError:s})=>{let o=(e.text??"").toLowerCase(),r=n.filter(m=>m.code.toLowerCase().includes(o)),i=r.filter(pl[e.only]??
pl[""]),c=m=>r.filter(pl[m]).length,g=n.filter(m=>!m.at).length;return a`<div class="filters"><${An} label="Search campaigns …" value=${e.text} onText=${m=>tt(
{text:m})} />
          <${ja} label="Which" value=${e.only} onPick=${m=>tt({only:m})} options=${[["","All",r.length],["paused","With pauses",c("paused")],["held","Held",c("h\
eld")],["spent","95 % spent",c("spent")]]} /></div>
        ${s&&a`<${ue} level="warn" says="Spend and budgets are not known now" hint=${s} />`}
        <${X} flush>${i.length===0?a`<${Te} title=${n.length?"No campaign matches":"No campaigns"}>${n.length?"Remove a filter to see other campaigns.":"The pla\
tform lists no campaigns for this advertiser."}<//>`:a`<${Bs} label="Campaigns" columns=${f$} rows=${i.slice(0,500)} params=${e} id=${m=>m.code} href=${m=>ae("c\
ampaigns",m.code)} />
            <div class="foot"><span>${z(i.length,"campaign")}${i.length>500?", the first 500 are shown":""}</span>${g>0&&a`<span>the creatives of ${C(g)} are being read</span>`}</div>`}<//>`}}<//>
  <//>`}var cp="The platform's times have no zone, so they are shown as the platform sends them.";function hp({code:e}){let t=me("/api/campaigns/"+encodeURIComponent(e),
["audit","jobs","rules"]),[n,s]=I([]),[o,r]=I(""),i=t.data,c=Je("operator"),g=m=>s(n.includes(m)?n.filter(T=>T!==m):[...n,m]);return a`<${Ge} title=${e} crumb=${a`<a href="#/campaigns">Campaigns</a>`}
      sub=${i&&a`${z(i.creatives.length,"creative")}, ${C(i.creatives.filter(m=>m.status==="ACTIVE").length)} active`}
      acts=${i&&c&&a`<button class="danger" onClick=${()=>r("pause")}>Pause ${n.length?C(n.length):"all"} …</button>
        <button onClick=${()=>r("resume")}>Resume ${n.length?C(n.length):"all"} …</button>`}>
    <${pt} result=${t}>${m=>a`
      ${m.holder&&a`<${ue} level="warn" says=${`Locked by ${m.holder}`} hint="A worker is changing this campaign or reading back its changes." />`}
      ${m.lockError&&a`<${ue} level="warn" says="It is not known whether a worker has locked this campaign" hint=${m.lockError} />`}
      ${m.jobs.map(T=>a`<${ue} key=${T.id} says=${a`<${Va} is=${T.state} /> ${lr(T.kind,T.target)}`} hint=${T.why||T.id} where=${ae("jobs",T.id)} />`)}
      ${m.partial&&a`<p class="small soft">So many jobs have not ended that only the newest were looked through for those of this campaign: <a href=${"#/jobs"+Se(
{state:"queued,running,retrying",text:e})}>search all</a>.</p>`}
      <div class="grid two-one">
        <div class="stack"><${X} title="Creatives" flush>${m.creatives.length===0?a`<${Te} title="No creatives" />`:a`<${it} look=${`cards ${c?"ticks":""}`} rows=${m.
creatives} columns=${[["Creative",T=>T.code],["Status",T=>T.status],["Last change on the platform",T=>T.updated||null,!0]]}
          first=${c&&a`<th class="tick"><input type="checkbox" aria-label="Select all creatives" checked=${n.length===m.creatives.length} onChange=${()=>s(n.length?
[]:m.creatives.map(T=>T.code))} /></th>`}>${T=>a`<tr key=${T.code}>${c&&a`<td class="tick"><input type="checkbox" aria-label=${`Select ${T.code}`} checked=${n.includes(
T.code)} onChange=${()=>g(T.code)} /></td>`}
            <td class="strong break"><a class="id" href=${ae("rules","why",T.code)+Se({campaign:e})} title="Its history">${T.code}</a><${ol} s=${m.kept[T.code]} />${T.
message&&a`<div class="note">${T.message}</div>`}</td><td><${Va} is=${T.status} /></td>
            <td class="num" data-name="Changed">${T.updated?a`<span class="nowrap" title=${cp}>${T.updated.replace("T"," ").replace(/\.\d+$/,"")} <span class="faint">no zone</span></span>`:
"–"}</td></tr>`}<//>
            ${m.creatives.some(T=>T.updated)&&a`<div class="foot">${cp}</div>`}`}<//><${$$} creatives=${m.creatives} changes=${m.changes} /></div>
        <div class="stack"><${m$} rules=${m.rules??[]} kept=${m.kept[e]} code=${e} /><${v$} entries=${m.history} code=${e} /></div>
      </div>`}<//>
    ${o&&a`<${x$} code=${e} verb=${o} creatives=${n} all=${i.creatives.length} onClose=${()=>r("")} onDone=${()=>s([])} />`}
  <//>`}function m$({rules:e,kept:t,code:n}){return a`<${X} title="Rules in scope" side=${a`<${xr} code=${n} campaign=${n} kept=${t} what="budget and bid" />`}>${t&&
a`<p><b>Budget and bid</b><${ol} s=${t} /></p>`}${e.length===0?a`<p class="soft">None.</p>`:a`<ul class="stack">${e.map(s=>a`<li><a href=${"#/rules"+Se({text:s.
name})} class="break">${s.name}</a> <span class="tag">${Rs(s.mode)}</span><${Us} p=${s.paused} /><div class="small soft break">${s.says}</div></li>`)}</ul>`}<//>`}
var up=28;function $$({creatives:e,changes:t}){let n=Array.from({length:up},(r,i)=>zn(ut()-(up-1-i)*864e5)),s=[...wr([...t].reverse(),r=>r.creative,r=>zn(r.at))].
sort(([r],[i])=>r.localeCompare(i,"en",{numeric:!0})),o=new Map(e.map(r=>[r.code,r.status]));return a`<${vr} title="Creatives by day" days=${n} legend=${[["","a\
ctive"],["pause","paused at the end of the day"],["changed","changed, and active again"]]}
    lines=${s.filter(([r])=>o.has(r)).map(([r,i])=>[r,g$(n,i,o.get(r))])} />`}function g$(e,t,n){let s=[];for(let o of[...e].reverse()){let r=t.get(o)??[],i=r.map(
c=>`${cn(c.at)} ${Gt(c.before)} → ${Gt(c.after)} by ${[c.by,c.reason].filter(Boolean).join(": ")}`).join(`
`);s.unshift({look:n==="INACTIVE"?"pause":r.length?"changed":"",title:`${o}: ${i||Gt(n)}`}),n=r[0]?.before||n}return s}function b$(e){let t=[];for(let n of e){let s=t.
at(-1);s&&n.job&&s[0].job===n.job&&s[0].run===n.run?s.push(n):t.push([n])}return t}function v$({entries:e,code:t}){return a`<${X} title="History" side=${a`<a class="small" href=${"\
#/audit"+Se({campaign:t})}>Open in audit</a>`}>
    ${e.length===0?a`<p class="soft">usher has not changed its creatives.</p>`:a`<ul class="line">${b$(e).slice(0,20).map(([n,...s])=>a`
      <li class=${n.after==="ACTIVE"?"good":n.after==="INACTIVE"?"warn":""}>
        <${pp} a=${n} />${s.length>0&&a`<details class="small"><summary>and ${C(s.length)} more by this job</summary>${s.map(o=>a`<${pp} a=${o} />`)}</details>`}
        <div class="small soft break">${[n.rule||n.actor,n.reason].filter(Boolean).join(": ")}</div>
        <${Za} metrics=${n.metrics} /><div class="small faint"><${ee} at=${n.at} /></div></li>`)}</ul>`}<//>`}var pp=({a:e})=>a`<div><b class="break">${e.creative||
(e.bidding?xn[e.bidding.field]:"campaign")}</b> <span class="small">${Gt(e.before)} → ${Gt(e.after)}${e.after!==e.wanted?` (wanted ${Gt(e.wanted)})`:""}</span></div>`;
function w$({code:e,creatives:t}){let n=me(`/api/campaigns/${encodeURIComponent(e)}/reversals?${t.map(s=>"creative="+encodeURIComponent(s)).join("&")}`);return n.
error?a`<${ue} level="warn" says="It is not known whether a rule would pause them again" hint=${n.error} />`:n.data?a`${n.data.map(s=>a`<${ue} key=${s.rule+s.reason} level="warn" says=${a`Rule ${s.
rule} would ${s.asks?"ask to pause":"pause"} ${s.creatives.slice(0,3).join(", ")}${s.creatives.length>3?` and ${C(s.creatives.length-3)} more`:""} again ${s.next?
a`in its next run, <${ee} at=${s.next} />`:"when it runs next"}`} hint=${s.reason} />`)}
    ${n.data.length===0&&a`<p class="soft">No rule would pause them again by the numbers of now.</p>`}`:a`<p class="soft">Asking the rules …</p>`}function x$({
code:e,verb:t,creatives:n,all:s,onClose:o,onDone:r}){let[i,c]=I(""),[g,m]=I(""),T=n.length||s,E=async()=>{let{id:w}=await Ie(`/api/campaigns/${encodeURIComponent(
e)}/${t}`,{creatives:n,reason:i,keep:g});Ve(`${t==="pause"?"Pausing":"Resuming"} ${z(T,"creative")}: job ${w}`),r()};return a`<${Ke} title=${`${t==="pause"?"Pau\
se":"Resume"} ${z(T,"creative")}?`} act=${t==="pause"?"Pause":"Resume"} danger=${t==="pause"} ready=${i.trim()&&g!==Qa} onAct=${E} onClose=${o}>
    <p>${n.length?n.join(", "):`All creatives of ${e}`} ${t==="pause"?"stop":"start"} being served. ${t==="pause"?"Rules do not resume what is paused by hand.":
"A rule whose condition holds may pause them again in its next run, unless you keep rules from them."}</p>
    ${t==="resume"&&a`<${w$} code=${e} creatives=${n} />`}
    <${rl} until=${g} onUntil=${m} />
    <${Oe} name="Reason" hint=${`Recorded in the audit with your name, ${Ne.user}.`}><input type="text" required maxlength="1000" value=${i} onInput=${w=>c(w.target.
value)} data-first /><//>
  <//>`}var y$=[["","All times"],["1h","Last hour"],["24h","Last 24 hours"],["168h","Last 7 days"],["720h","Last 30 days"]],fl=50,kr="Sort the rows on this page",k$=[["\
When",e=>Date.parse(e.at),!1,kr],["Who",e=>e.rule||e.actor,!1,kr],["What",e=>e.creative||e.after||e.wanted,!1,kr],["Why",e=>e.reason,!1,kr]];function fp({params:e}){
let t=e.span&&new Date(Math.floor(ut()/6e4)*6e4-parseInt(e.span)*36e5).toISOString(),n={match:e.match,campaign:e.campaign,actor:e.actor,job:e.job,rule:e.rule,since:t},
s=Math.max(fl,Number(e.limit)||fl),o=me("/api/audit"+Se({...n,limit:s}),["audit"]),r=o.data??o.stale,i=["campaign","actor","job","rule"].filter(c=>e[c]);return a`<${Ge} title="Audit" sub="Who did what, when and why. Kept for 400 days."
      acts=${a`<a class="button" href=${"/api/audit/export"+Se({...n,format:"ndjson"})} download>Export NDJSON</a><a class="button" href=${"/api/audit/export"+Se(
{...n,format:"csv"})} download>Export CSV</a>`}>
    <div class="filters">
      <${An} label="Search actor, reason, creative, job …" value=${e.match} onText=${c=>tt({match:c,limit:""})} />
      <${Vn} label="Time" value=${e.span} onPick=${c=>tt({span:c,limit:""})} options=${y$} />
    </div>
    ${i.length>0&&a`<div class="filters">${i.map(c=>a`<button class="small" onClick=${()=>tt({[c]:""})} aria-label=${`Remove the filter ${c}`}>${c}: ${e[c]} ×</button>`)}</div>`}
    ${o.error&&a`<${hn} says=${o.error} retry=${o.reload} />`}
    <section class="card">${r?r.entries.length===0?a`<${Te} title=${e.match||i.length||e.span?"Nothing matches":"No actions yet"}>Pauses, resumes, replays, edits, discards and uses of the stop switch are listed here.<//>`:
a`<${it} columns=${k$} rows=${r.entries}>${(c,g)=>a`<tr key=${c.at+c.job+c.creative+g}>
          <td data-name="When"><${ee} at=${c.at} /></td>
          <td data-name="Who"><a href=${"#/audit"+Se(c.rule?{rule:c.rule}:{actor:c.actor})}>${c.rule||c.actor||"–"}</a></td>
          <td class="whole"><${_$} a=${c} /></td>
          <td class="whole break">${c.reason}<${Za} metrics=${c.metrics} /></td></tr>`}<//>
        <div class="foot"><span>${z(r.entries.length,"entry","entries")}, newest first</span>${r.more&&s<200&&a`<button class="small" onClick=${()=>tt({limit:String(
Math.min(s+fl,200))})}>Show more</button>`}${r.more&&s>=200&&a`<span>More than ${C(s)} entries match: narrow the search or export them.</span>`}</div>`:!o.error&&
a`<${yn} />`}</section>
  <//>`}function _$({a:e}){let t=e.job&&a`<div class="note">job <a href=${ae("jobs",e.job)}>${e.job}</a>${e.run>1?`, run ${e.run}`:""}</div>`;return e.creative?
a`<span class="strong break">${e.creative}</span> ${Gt(e.before)} → ${Gt(e.after)}${e.after!==e.wanted?a` <span class="bad-ink">(wanted ${Gt(e.wanted)})</span>`:
""}
      ${e.campaign&&a`<div class="note">campaign <a href=${ae("campaigns",e.campaign)}>${e.campaign}</a></div>`}${t}`:e.job?a`<span class="strong">${e.wanted}</span>${e.
before?` (was ${e.before})`:""}${t}`:a`<span class="strong">${/^(stopped|started)$/.test(e.after)?`campaign actions ${e.after}`:e.after}</span>`}var C$=[["","Overview",wn.overview],["audiences","Audiences",wn.audiences],["jobs","Jobs",wn.jobs],["letters","Dead letters",wn.letters],["campaigns","Campaigns",
wn.campaigns],["rules","Rules",wn.rules],["audit","Audit",wn.audit]],mp=([,e,...t])=>t.length?`${e==="campaign"?"target":e} ${t.join("/")}`:e;function j$({names:e,
params:t}){let[n="",s]=e;switch(n){case"":return a`<${Qu} params=${t} />`;case"jobs":return s?a`<${Su} id=${s} key=${s} />`:a`<${Ru} params=${t} />`;case"letter\
s":return a`<${rp} params=${t} />`;case"audiences":return s==="overlap"?a`<${Mu} params=${t} />`:s?a`<${Ou} target=${mp(e)} key=${mp(e)} />`:a`<${gu} params=${t} />`;case"\
campaigns":return s?a`<${hp} code=${s} key=${s} />`:a`<${dp} params=${t} />`;case"rules":return a`<${Yu} names=${e.slice(1)} params=${t} />`;case"audit":return a`<${fp} params=${t} />`}
return a`<${Ge} title="Page not found" sub=${a`<a href="#/">Back to the overview</a>`} />`}ou();function S$(){let[e,t]=I(Is());return ke(()=>{let n=()=>t(Is()),
s=ur(n);return n(),s},[]),a`<button class="bare small" onClick=${Ps} aria-label=${e?"Light colours":"Dark colours"} title=${e?"Light colours":"Dark colours"}><span class="icon">${wn.
theme}</span></button>`}function T$(){return a`<button class="bare small" onClick=${()=>Cs(!Dn())} title=${Dn()?"Times are in UTC; show them in this computer's \
zone":`Times are in this computer's zone, ${Ss()}; show them in UTC`} aria-label=${Dn()?"Times in UTC":`Times in ${Ss()}, this computer's zone`}>${Ss()}</button>`}
function D$({onLeave:e}){let t=Bc(),n=me("/api/overview",["letters","overview"]),s=cu(t.names),o=n.data?.letters??0,r=()=>Ie("/api/logout").then(()=>e("You have\
 logged out."),i=>e(i.message));return a`<a class="skip" href="#main" onClick=${i=>{i.preventDefault(),document.querySelector("h1")?.focus()}}>Skip to content</a>
    <div class="frame">
      <header class="side">
        <a class="brand" href="#/">${wn.brand}usher</a>
        <nav class="nav" aria-label="Pages">
          ${C$.map(([i,c,g])=>a`<a href="#/${i}" aria-current=${(t.names[0]??"")===i?"page":void 0}>${g}<span>${i==="letters"?a`<span class="long">Dead </span>letters`:
c}</span>
            ${i==="letters"&&o>0&&a`<span class="count" aria-label=${z(o,"dead letter")}>${o>999?"999+":C(o)}</span>`}</a>`)}
        </nav>
        <div class="me">
          <div class="who"><b>${Ne.user}</b><span class="faint small">${Ne.role}</span></div>
          <div class="row"><${S$} /><${T$} /><button class="bare small" onClick=${r} title="Log out" aria-label="Log out"><span class="icon">${wn.leave}</span></button></div>
        </div>
      </header>
      <main id="main" class="${s.stale?"stale":""} ${s.well?"":"unwell"}"><${uu} status=${s} />${j$(t)}</main>
    </div><${lu} /><${eu} />`}var ml={expired:"Your session has expired: sessions end after two hours without use, and after twelve hours.",forgotten:"usher doe\
s not know your session any more: it was restarted and had not stored it.",barred:"Your password has changed, you may not log in any more, or the proxy names an\
other user.",unread:"usher cannot check your session, because NATS does not respond. This page tries it again by itself."};function R$(){let[e,t]=I(Ne.user),[n,
s]=I(ml[Ne.absent]),[,o]=I(0);ke(()=>{Wc(async()=>{Ne.user&&(po(),Ne.user="",await Ts().catch(()=>{}),s(ml[Ne.absent]??"Your session has ended: you have logged \
out in another tab."),t(""))}),window.addEventListener("zone",()=>o(c=>c+1))},[]);let r=async()=>{await Ts(),s(ml[Ne.absent]),t(Ne.user),Ne.user&&Oi()},i=c=>{po(),
Ne.user="",s(c),t("")};return e?a`<${D$} key=${Dn()?"utc":"local"} onLeave=${i} />`:a`<${pu} why=${n} onIn=${r} />`}function $p(){let[e]=Rn().names;e!=="overvie\
w"&&(e!=="login"||!Ne.user)||(history.replaceState(null,"","#/"),window.dispatchEvent(new Event("hashchange")))}window.addEventListener("hashchange",$p);Object.
assign(Ne,JSON.parse(document.getElementById("session").textContent));$p();Ne.user&&Oi();var gp=document.getElementById("app");gp.replaceChildren();yi(a`<${R$} />`,
gp);
/*! https://github.com/leeoniya/uPlot (v1.6.32) */
